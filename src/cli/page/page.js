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
