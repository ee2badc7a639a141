/** Why a strategy of the played monitor does not trade. */

export function ladderOf(hostile: string): object {
  const halted = {
    name: 'halts',
    state: 'finding',
    text: `the whole bot is halted ${hostile}`,
    since: Date.now() - 5000,
    fix: 'tickwright resume',
  };
  return {
    strategy: 'ema-cross',
    symbol: 'BTCUSDT',
    headline: 'halts',
    checks: [{ ...halted, name: 'armed', state: 'ok', text: 'the bot is armed', fix: '' }, halted],
    limits: [],
    funnel: {},
  };
}
