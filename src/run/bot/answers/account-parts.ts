/** The account by strategy: what each has made since the journal began, what it has open, and its share of what the positions can lose. */
import type { PartAnswer, PositionAnswer } from '../../../control/answers.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { NETTING } from '../../../domain/strategy-name.ts';
import { centsOf, REST, type ProfitIndex } from './profit.ts';

/** null: unknown, because a position has no price or no bound. */
type Amount = Decimal | null;

interface Open {
  unrealised: Amount;
  value: Amount;
  worstLoss: Amount;
}

const ZERO = new Decimal(0);

/** Rows of the strategies with these names and of all who traded, netting and external if there is any, and the sum. */
export function partsOf(
  index: Pick<ProfitIndex, 'legs' | 'sums'>,
  names: readonly string[],
  positions: readonly PositionAnswer[],
): PartAnswer[] {
  const open = openOf(index.legs, positions);
  const known = [...new Set([...names, ...index.sums.keys(), ...open.keys()])];
  const all = [...known.filter((name) => !REST.includes(name)), ...REST.filter((name) => known.includes(name))];
  const rows = all.map((name) => {
    const { profit = ZERO, fees = ZERO, funding = ZERO, net = ZERO } = index.sums.get(name) ?? {};
    const held = open.get(name) ?? { unrealised: ZERO, value: ZERO, worstLoss: ZERO };
    return { name, profit, fees, funding, ...held, net: plus(net, held.unrealised) };
  });
  const some = rows.filter(({ name, ...money }) => name !== NETTING || Object.values(money).some((one) => one === null || !one.isZero()));
  const column = (key: Exclude<keyof PartAnswer, 'name'>): readonly string[] => {
    const amounts = some.map((row) => row[key]);
    const sum = amounts.reduce<Amount>((total, one) => plus(total, one), ZERO);
    if (sum === null) return [...amounts.map((one) => one?.toFixed(2) ?? ''), ''];
    return [...centsOf(amounts as readonly Decimal[]), sum.toFixed(2)];
  };
  const [profit, fees, funding] = [column('profit'), column('fees'), column('funding')];
  const [unrealised, net, value, worstLoss] = [column('unrealised'), column('net'), column('value'), column('worstLoss')];
  return [...some.map(({ name }) => name), 'all'].map((name, k) => ({
    name,
    profit: profit[k]!,
    fees: fees[k]!,
    funding: funding[k]!,
    unrealised: unrealised[k]!,
    net: net[k]!,
    value: value[k]!,
    worstLoss: worstLoss[k]!,
  }));
}

function openOf(legs: ProfitIndex['legs'], positions: readonly PositionAnswer[]): Map<string, Open> {
  const open = new Map<string, Open>();
  for (const { symbol, side, book } of legs) {
    const position = positions.find((one) => one.symbol === symbol && one.side === side);
    const price = decimal(position?.price);
    const size = book.size;
    for (const { holder, size: own, unrealised } of book.holders(price)) {
      const sum = open.get(holder) ?? { unrealised: ZERO, value: ZERO, worstLoss: ZERO };
      const loss = decimal(position?.worstLoss);
      open.set(holder, {
        unrealised: plus(sum.unrealised, unrealised),
        value: plus(sum.value, price === null ? null : price.times(own)),
        worstLoss: plus(sum.worstLoss, loss === null || size.isZero() ? null : loss.times(own).dividedBy(size).toDecimalPlaces(8)),
      });
    }
    if (size.isZero()) continue;
    // The venue's average for the whole leg, less what the holders have at theirs.
    const others = book.holders(price).reduce<Amount>((total, one) => plus(total, one.unrealised), ZERO);
    const netting = open.get(NETTING) ?? { unrealised: ZERO, value: ZERO, worstLoss: ZERO };
    const whole = price === null ? null : book.unrealised(price);
    open.set(NETTING, { ...netting, unrealised: plus(netting.unrealised, plus(whole, others === null ? null : others.negated())) });
  }
  return open;
}

function plus(a: Amount, b: Amount): Amount {
  return a === null || b === null ? null : a.plus(b);
}

function decimal(text: string | undefined): Amount {
  return text === undefined || text === '' ? null : new Decimal(text);
}
