// Who is where at a time: tokens that move, by the share of their way, and tokens that wait and are served at each place, by its number. A
// token is drawn on its way for the time `glide` at least; it is at its place when it has arrived, and comes from a source before that.
function scene({ visits, moves }, time, glide) {
  const moving = new Map();
  let [last, free] = [-1, 0];
  for (const [token, kind, way, begin, end] of moves) {
    if (token !== last) free = -Infinity;
    last = token;
    const from = Math.max(begin ?? end - glide, free);
    free = Math.max(end, from + glide);
    if (from <= time && time < free) moving.set(token, { kind, way, share: (time - from) / (free - from) });
  }
  const places = new Map();
  for (const [token, kind, place, arrival, start, departure] of visits) {
    if (time < arrival || (departure !== null && departure <= time)) continue;
    if (!places.has(place)) places.set(place, { waiting: [], served: [] });
    const served = start !== null && start <= time;
    places.get(place)[served ? "served" : "waiting"].push({ token, kind });
  }
  return { moving, places };
}

function play(player) {
  const data = JSON.parse(player.querySelector("script").textContent);
  const map = player.closest("figure").querySelector("svg.graph");
  const [button, slider, shown, speed] = ["button", "input", ".time", "select"].map((one) => player.querySelector(one));
  const ways = [...map.querySelectorAll("path")];
  const sides = (place) => ["x", "y", "width", "height"].map((side) => Number(place.getAttribute(side)));
  const boxes = [...map.querySelectorAll(".place")].map(sides);
  const colours = ["one", "two", "three", "four", "five", "six"];
  const decimals = Math.max(0, 4 - Math.ceil(Math.log10(data.until)));
  const element = (name, values) => {
    const made = document.createElementNS(map.namespaceURI, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return layer?.appendChild(made) ?? made;
  };
  let layer;
  layer = map.appendChild(element("g", { class: "tokens" }));
  let [time, before, playing] = [0, 0, false];

  const token = (kind, cx, cy, opacity = 1) =>
    element("circle", { cx, cy, r: 4, opacity, style: `fill: var(--${colours[kind % colours.length]})` });
  // As many of them as there is room for, and how many there are.
  const row = (all, moving, [left, , width], y) => {
    const still = all.filter((one) => !moving.has(one.token)).slice(0, Math.max(1, Math.floor((width - 26) / 9)));
    for (const [place, one] of still.entries()) token(one.kind, left + 8 + 9 * place, y);
    if (all.length) element("text", { x: left + 6 + 9 * still.length, y: y + 4 }).textContent = all.length;
  };
  const draw = () => {
    layer.replaceChildren();
    const { moving, places } = scene(data, time, 0.5 * Number(speed.value));
    for (const [place, { waiting, served }] of places) {
      const box = boxes[place];
      row(waiting, moving, box, box[1] - 6);
      row(served, moving, box, box[1] + box[3] - 7);
    }
    for (const { kind, way, share } of moving.values()) {
      const [left, top, width] = boxes[-1 - way] ?? [];
      const vanishes = way < 0;
      const along = () => ways[way].getPointAtLength(share * ways[way].getTotalLength());
      const { x, y } = vanishes ? { x: left + width + 4 + 12 * share, y: top + 8 } : along();
      token(kind, x, y, vanishes ? 1 - share : 1);
    }
    shown.textContent = `${time.toFixed(decimals)} ${data.unit}`;
    slider.setAttribute("aria-valuetext", shown.textContent);
  };
  const go = (on) => {
    playing = on;
    button.textContent = on ? "Pause" : "Play";
    before = performance.now();
    if (on) requestAnimationFrame(frame);
  };
  const frame = (now) => {
    if (!playing) return;
    time = Math.min(data.until, time + (Math.max(0, now - before) / 1000) * Number(speed.value));
    before = now;
    slider.value = time;
    draw();
    if (time < data.until) requestAnimationFrame(frame);
    else go(false);
  };
  button.addEventListener("click", () => {
    if (!playing && time >= data.until) time = 0;
    go(!playing);
  });
  slider.addEventListener("input", () => {
    time = Number(slider.value);
    draw();
  });
  speed.addEventListener("input", draw);
  player.hidden = false;
  draw();
}

// Tests call `scene` where there is no page.
for (const player of globalThis.document?.querySelectorAll(".player") ?? []) play(player);
