/** Answers withdrawals (E5). The operator adds the records; they change no balance. */
import { refuse, type Answer } from './endpoint-context.ts';
import { compareIds, type Withdrawal } from './withdrawal-records.ts';

/** Start and end time are inclusive and compare with the creation time. */
export const withdrawals: Answer<'withdrawals'> = ({ reference, withdrawals: book, switches }, given, { account }) => {
  const { coin = '', orderId = '', idLessThan = '' } = given;
  const isKnown = coin === '' || reference.coins.some((record) => record.coin === coin);
  if (!isKnown) return refuse('coin-not-found');
  const from = Number(given.startTime);
  const to = Number(given.endTime);
  const isWanted = (record: Withdrawal): boolean =>
    Number(record.cTime) >= from &&
    Number(record.cTime) <= to &&
    (coin === '' || record.coin === coin) &&
    (orderId === '' || record.orderId === orderId) &&
    (idLessThan === '' || compareIds(record.orderId, idLessThan) < 0);
  const limit = Math.min(given.limit ?? switches.pageLimit, switches.pageLimit);
  return book.of(account).filter(isWanted).slice(0, limit);
};
