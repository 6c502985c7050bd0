// Compiles every kernel of some folders with Dawn: node validate_wgsl.mjs DAWN FOLDER ... (scripts/validate_wgsl.sh calls it).
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dawn, ...folders] = process.argv.slice(2);
const { create, globals } = await import(pathToFileURL(dawn));
Object.assign(globalThis, globals);

// A driver would only get what Dawn has accepted already. (Nothing works any more once `gpu` is collected as garbage.)
const gpu = globalThis.gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice({ requiredFeatures: ['subgroups'] });

// What Dawn refuses, with the limits that every WebGPU adapter has, and why.
async function complaints(source) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: source });
  const { messages } = await module.getCompilationInfo();
  const wrong = messages.some(({ type }) => type === 'error');
  if (!wrong) device.createComputePipeline({ layout: 'auto', compute: { module } });
  const error = await device.popErrorScope();
  if (wrong) return messages.filter(({ type }) => type !== 'warning');
  return error ? [{ lineNum: 0, message: error.message }] : [];
}

// The module that a line comes from, whose name stands above it, and the line.
function place(source, line) {
  if (line === 0) return 'as a whole';
  const lines = source.split('\n');
  for (let above = line; above > 0; above -= 1) {
    const name = lines[above - 1].match(/^\/\/ (\w+\/\w+|<\w+>)$/);
    if (name) return `${name[1]}, '${lines[line - 1].trim()}'`;
  }
  return `line ${line}`;
}

const NOT_UNIFORM = `@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(64) fn main() { if (words[0] == 0u) { workgroupBarrier(); } }`;
const [refusal] = await complaints(NOT_UNIFORM);
if (!refusal?.message.includes('uniform control flow')) {
  console.error('validate_wgsl.mjs: Dawn accepts a barrier that not all threads reach: it finds nothing');
  process.exit(1);
}

const paths = (folder) => readdirSync(folder).filter((file) => file.endsWith('.wgsl')).map((file) => join(folder, file));
const files = folders.flatMap(paths).sort();
let refused = 0;
for (const file of files) {
  const kernel = readFileSync(file, 'utf8');
  // naga knows no such line yet, and refuses it.
  const source = kernel.includes('@builtin(subgroup_size)') ? `enable subgroups; ${kernel}` : kernel;
  const found = await complaints(source);
  if (found.length === 0) continue;
  refused += 1;
  console.error(`${file} is refused:`);
  for (const { lineNum, message } of found) console.error(`  ${place(source, lineNum)}: ${message}`);
}
console.log(`${files.length - refused} kernels are accepted, ${refused} are refused`);
process.exit(refused > 0 || files.length === 0 ? 1 : 0);
