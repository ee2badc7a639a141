/** Figures of the live path, as ratios to a floor of the same process. */
import { here, isQuick, jsonLines, judgedBelow, median, node, PAIRS, spreadOf, tell } from './table.ts';

interface LivePath {
  readonly answersPerSecond: number;
  readonly orders: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly floorP50Us: number;
  readonly floorP99Us: number;
  readonly cpuUsOfTurn: number;
  readonly cpuUsOfRecordedTurn: number;
  readonly recordingP50Us: number;
}

interface PollCost {
  readonly cpuMsP50: number;
  readonly parseMsP50: number;
}

/** The path from an answer to an order, the recording of sessions, and polls. */
export function live(): void {
  const paths = Array.from({ length: PAIRS }, () => jsonLines<LivePath>(node([here('live.ts'), isQuick ? '4' : '10']))[0]!);
  const ratios = paths.map(({ p50Us, floorP50Us }) => p50Us / floorP50Us);
  const { answersPerSecond, p50Us, p99Us, floorP50Us, floorP99Us, orders } = paths.at(-1)!;
  const ratio = median(ratios);
  tell(
    'answer parsed → order in the socket, against commit + POST',
    `${ratio.toFixed(2)} ± ${(spreadOf(ratios) / 2).toFixed(2)} × (${p50Us} of ${floorP50Us} µs)`,
    '≤ 2.0 ×',
    judgedBelow(ratio, 2, spreadOf(ratios)),
  );
  tell(
    'the same: p99, and at how many answers a second',
    `${p99Us} of ${floorP99Us} µs at ${answersPerSecond}, ${orders} orders`,
    '',
    null,
  );
  const shares = paths.map((path) => path.cpuUsOfRecordedTurn / path.cpuUsOfTurn);
  const added = paths.map((path) => path.recordingP50Us);
  const share = median(shares);
  const { cpuUsOfTurn, cpuUsOfRecordedTurn } = paths.at(-1)!;
  tell(
    'session recording: CPU of a turn with it, against without',
    `${share.toFixed(3)} ± ${(spreadOf(shares) / 2).toFixed(3)} × (${cpuUsOfRecordedTurn} of ${cpuUsOfTurn} µs)`,
    '≤ 1.05 ×',
    judgedBelow(share, 1.05, spreadOf(shares)),
  );
  tell(
    'session recording: time on the order path, p50',
    `${median(added).toFixed(1)} ± ${(spreadOf(added) / 2).toFixed(1)} µs`,
    '≤ 20 µs',
    judgedBelow(median(added), 20, spreadOf(added)),
  );
  const polls = Array.from({ length: PAIRS }, () => jsonLines<PollCost>(node([here('poll.ts'), isQuick ? '200' : '600']))[0]!);
  const costs = polls.map(({ cpuMsP50, parseMsP50 }) => cpuMsP50 / parseMsP50);
  const { cpuMsP50, parseMsP50 } = polls.at(-1)!;
  const cost = median(costs);
  tell(
    'a poll of 1,000 symbols: CPU against JSON.parse of its answer',
    `${cost.toFixed(2)} ± ${(spreadOf(costs) / 2).toFixed(2)} × (${cpuMsP50} of ${parseMsP50} ms)`,
    '≤ 3 ×',
    judgedBelow(cost, 3, spreadOf(costs)),
  );
}
