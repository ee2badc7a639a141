/* Tables whose rows are sorted by a press on the title of a column, or by Enter or Space on it. */
'use strict';
{
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.textContent.trim();
    const value = Number(cell.dataset.value ?? text);
    return Number.isNaN(value) || text === '' ? text : value;
  };
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  for (const table of document.querySelectorAll('table.sortable')) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    for (const [column, head] of heads.entries()) {
      head.firstElementChild.addEventListener('click', () => {
        const sign = head.ariaSort === 'descending' ? 1 : -1;
        const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
        rows.sort((a, b) => sign * order(a.value, b.value));
        body.append(...rows.map(({ row }) => row));
        for (const other of heads) other.ariaSort = other === head ? (sign === 1 ? 'ascending' : 'descending') : null;
      });
    }
  }
}
