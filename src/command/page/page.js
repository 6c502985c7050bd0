for (const table of document.querySelectorAll("table.sorts")) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falls = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const order = (a, b) => (isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b);
      const rows = [...table.tBodies[0].rows].sort((a, b) => order(value(a), value(b)));
      table.tBodies[0].append(...(falls ? rows.reverse() : rows));
    });
  }
}

// What a place of a picture is, beside the pointer at once: the browser's own tip comes late, and not on a touch.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const title of document.querySelectorAll("figure svg title")) {
  title.parentElement.dataset.tip = title.textContent;
  title.remove();
}
for (const svg of document.querySelectorAll("figure svg")) {
  const show = (event) => {
    const text = event.target.closest("[data-tip]")?.dataset.tip;
    tip.hidden = !text;
    tip.textContent = text ?? "";
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(4, Math.min(event.pageX + 12, room))}px`;
    tip.style.top = `${event.pageY + 16}px`;
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => (tip.hidden = true));
}
