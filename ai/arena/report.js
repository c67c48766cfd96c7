// Tables sort by the column whose heading is chosen; without this the page reads the same.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const value = (row, column) => {
    const text = row.cells[column].textContent;
    const number = parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? text : number;
  };
  const before = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const sign = heading.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => sign * before(value(a, column), value(b, column)));
      body.append(...rows);
    });
  });
}
