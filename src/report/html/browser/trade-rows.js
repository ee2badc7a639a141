/* The time of a trade in a list of trades becomes a button that shows the bars of it. */
'use strict';
{
  const { data, showTrade } = window.report;
  const symbols = new Set(data.markets.map(({ symbol }) => symbol));

  function makeButtons(table) {
    for (const row of table.tBodies[0].rows) {
      const [time, held, leg] = row.cells;
      const symbol = leg.textContent.replace(/ \S+$/, '');
      if (!symbols.has(symbol) || time.firstElementChild !== null) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'go';
      button.textContent = time.textContent;
      button.title = 'show the bars of this trade';
      const opened = Number(time.dataset.value);
      button.addEventListener('click', () => showTrade(symbol, opened, opened + Number(held.dataset.value)));
      time.replaceChildren(button);
    }
  }

  for (const table of document.querySelectorAll('#best-trades table, #managed table')) {
    const folded = table.closest('details');
    if (folded === null) makeButtons(table);
    // A thousand buttons, when somebody asks for them.
    else folded.addEventListener('toggle', () => makeButtons(table));
  }
}
