/** The backtest report as text for a person: what was run, what came out, what to be careful about. */
import type { BacktestReport } from './backtest-report.ts';

const WIDTH = 22;

/** Plain text, no colours, at most about 90 columns wide. */
export function formatReport(report: BacktestReport): string {
  const out: string[] = [];
  const section = (title: string): void => void out.push('', title, '─'.repeat(title.length));
  const line = (name: string, value: string): void => void out.push(`  ${name.padEnd(WIDTH)}${value}`);
  const { tape, orders, pnl, equity, exposure, stats } = report;
  const strategies = (report.config['strategies'] as readonly { name: string; params: Record<string, unknown> }[] | undefined) ?? [];
  out.push(`Backtest of ${strategies.map((s) => s.name).join(', ') || 'no strategy'} on ${tape.symbols.join(', ')}`);
  line('tape', `${grouped(tape.rows)} rows, ${when(tape.from)} to ${when(tape.to)} (${span(tape.to - tape.from)})`);
  for (const s of strategies) line(s.name, Object.entries(s.params).map(([k, v]) => `${k}=${String(v)}`).join(' ') || 'no parameters');
  section('Result');
  line('net PnL', `${money(pnl.net)}   (realised ${money(pnl.realised)}, open ${money(pnl.unrealised)}, fees ${money(pnl.fees)})`);
  line('equity', `${money(equity.start)} → ${money(equity.end)}   ${sparkline(equity.curve.map(([, e]) => Number(e)))}`);
  line('largest drawdown', `${money(equity.maxDrawdown)} (${percent(equity.maxDrawdownShare)})`);
  line('exposure', `${percent(exposure.timeShare)} of the time, at most ${money(exposure.largest)}; turnover ${money(exposure.turnover)}`);
  section('Trades');
  line('closed', `${stats.trades} (${stats.wins} won, ${stats.losses} lost)`);
  line('fills', `${report.fills.length} (${stats.makerFills} maker, ${stats.takerFills} taker)`);
  const refused = Object.entries(orders.refused);
  line('orders', `${orders.placed} placed, ${orders.modified} modified, ${orders.cancelled} cancelled, ${orders.filled} filled, ${orders.rejected} rejected`);
  if (refused.length > 0) line('refused by risk', refused.map(([rule, n]) => `${rule} ${n}`).join(', '));
  if (report.trades.length > 0) {
    out.push('', '  last trades');
    for (const t of report.trades.slice(-5)) {
      out.push(
        `  ${when(t.openedAt).slice(11)}  ${t.symbol} ${t.positionSide.padEnd(5)} ${t.size.padStart(9)}` +
          `  ${t.entryPrice.toFixed(2).padStart(11)} → ${t.exitPrice.toFixed(2).padStart(11)}  net ${money(t.net).padStart(12)}`,
      );
    }
  }
  if (report.notes.length > 0) {
    section('Read this before you believe it');
    for (const note of report.notes) out.push(`  • ${note}`);
  }
  out.push('');
  line('result hash', report.hash);
  line('speed', `${grouped(report.performance.rowsPerSecond)} rows/s (${report.performance.wallMs} ms)`);
  return `${out.join('\n')}\n`;
}

function grouped(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
}

/** A decimal string cut to two decimals for reading; the exact one is in the JSON. */
function money(text: string): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const shown = `${grouped(Number(whole))}.${fraction.padEnd(2, '0').slice(0, 2)}`;
  return text.startsWith('-') ? `−${shown}` : shown;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function when(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function span(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 600) return `${s} s`;
  if (s < 36_000) return `${Math.round(s / 60)} min`;
  return s < 400_000 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} days`;
}

function sparkline(values: readonly number[]): string {
  if (values.length < 2) return '';
  const cells = 24;
  const bars = '▁▂▃▄▅▆▇█';
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  let text = '';
  for (let c = 0; c < cells; c++) {
    const v = values[Math.floor((c * (values.length - 1)) / (cells - 1))] ?? low;
    text += bars[high === low ? 0 : Math.min(7, Math.floor(((v - low) / (high - low)) * 8))];
  }
  return text;
}
