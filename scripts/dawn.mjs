// Asks Dawn what runs have asked of a device, and holds every answer against theirs: node dawn.mjs DAWN FOLDER (scripts/dawn.sh calls it).
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dawn, folder] = process.argv.slice(2);
const { create, globals } = await import(pathToFileURL(dawn));
Object.assign(globalThis, globals);

// (Nothing works any more once `gpu` is collected as garbage.)
const gpu = globalThis.gpu = create(['backend=vulkan']);
// An adapter opens one device.
async function adapter() {
  const found = await gpu.requestAdapter();
  if (!found) throw new Error('Dawn finds no adapter of Vulkan');
  return found;
}
const { vendor, device: card, description } = (await adapter()).info;
console.log(`Dawn on ${[description, vendor, card].filter(Boolean).join(', ')}`);

class Different extends Error {}

// One session: its buffers and pipelines with WebGPU's default limits.
class Session {
  constructor(device, program, bytes) {
    Object.assign(this, { device, program, bytes });
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
    this.buffers = program.buffers.map(({ name, size, uniform, contents }) => {
      const usage = (uniform ? UNIFORM : STORAGE) | COPY_SRC | COPY_DST;
      const buffer = device.createBuffer({ label: name, size: Math.ceil(size / 4) * 4, usage });
      if (contents) device.queue.writeBuffer(buffer, 0, this.at(contents));
      return buffer;
    });
    this.kernels = program.kernels.map(({ label, wgsl, bindings }) => {
      const module = device.createShaderModule({ label, code: wgsl });
      const pipeline = device.createComputePipeline({ label, layout: 'auto', compute: { module, entryPoint: 'main' } });
      const entries = bindings.map(([binding, place]) => ({ binding, resource: { buffer: this.buffers[place] } }));
      return { pipeline, group: device.createBindGroup({ label, layout: pipeline.getBindGroupLayout(0), entries }) };
    });
    this.run('first');
  }

  at([begin, length]) {
    return this.bytes.subarray(begin, begin + length);
  }

  run(steps, rounds = 1) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (let round = 0; round < rounds; round += 1) {
      for (const [kernel, grid] of this.program[steps]) {
        pass.setPipeline(this.kernels[kernel].pipeline);
        pass.setBindGroup(0, this.kernels[kernel].group);
        pass.dispatchWorkgroups(...grid);
      }
    }
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  // A copy of part of a buffer as it is behind all that was asked so far.
  copy(buffer, offset, size) {
    const staging = this.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.buffers[buffer], offset, staging, 0, size);
    this.device.queue.submit([encoder.finish()]);
    return staging;
  }

  async compare(staging, expected, what) {
    if (expected.length === 0) return;
    await staging.mapAsync(GPUMapMode.READ);
    const found = new Uint8Array(staging.getMappedRange());
    const place = expected.findIndex((byte, at) => byte !== found[at]);
    if (place >= 0) throw new Different(`${what}: byte ${place} is ${found[place]}, and ${expected[place]} is right`);
    staging.destroy();
  }

  async replay(asked) {
    const status = this.program.status;
    const batches = [];
    for (const { what, buffer, number, bytes } of asked) {
      const given = bytes && this.at(bytes);
      if (what === 'submit') {
        this.run('round', number);
        batches.push(this.copy(status, 0, this.program.buffers[status].size));
      } else if (what === 'wait') {
        await this.compare(batches.shift(), given, 'the status of a batch');
      } else if (what === 'write') {
        this.device.queue.writeBuffer(this.buffers[buffer], number, given);
      } else if (what === 'clear') {
        const encoder = this.device.createCommandEncoder();
        encoder.clearBuffer(this.buffers[buffer]);
        this.device.queue.submit([encoder.finish()]);
      } else if (what === 'read') {
        if (given.length > 0) {
          const name = this.program.buffers[buffer].name;
          await this.compare(this.copy(buffer, number, given.length), given, `${name} from byte ${number} on`);
        }
      } else {
        this.run(what);
      }
    }
    return asked.filter(({ what }) => what === 'read' || what === 'wait').length;
  }
}

// What is wrong with the answers to a record, or how many there were.
async function answers(record, bytes) {
  const device = await (await adapter()).requestDevice();
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  let said;
  try {
    said = await new Session(device, record.program, bytes).replay(record.asked);
  } catch (error) {
    if (!(error instanceof Different)) throw error;
    said = error.message;
  }
  const errors = [await device.popErrorScope(), await device.popErrorScope()].filter(Boolean);
  device.destroy();
  return errors.length > 0 ? errors[0].message : said;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json')).sort();
let wrong = files.length === 0 ? 1 : 0;
let changes = 0;
for (const file of files) {
  const record = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const bytes = new Uint8Array(readFileSync(join(folder, file.replace(/json$/, 'bin'))));
  const begun = performance.now();
  const said = await answers(record, bytes);
  const right = typeof said === 'number';
  if (!right) wrong += 1;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${file.replace(/ 1\.json$|\.json$/, '').padEnd(32)} ${seconds.padStart(6)} s  ${right ? `${said} answers are equal` : said}`);
  // A single wrong bit in what was read last is found.
  const last = record.asked.findLast(({ what, bytes: part }) => what === 'read' && part[1] > 0);
  if (right && last && changes === 0) {
    const changed = bytes.slice();
    changed[last.bytes[0] + last.bytes[1] - 1] ^= 1;
    if (typeof (await answers(record, changed)) === 'number') throw new Error('a changed bit is not found');
    changes += 1;
  }
}
if (changes === 0) throw new Error('no record has anything that was read');
process.exit(wrong > 0 ? 1 : 0);
