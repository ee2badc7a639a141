/** The strategies that a configuration names by a word alone: `strategy: grid`. They are files of the package like those of the gallery. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StrategyLimits } from '../domain/limits.ts';
import type { ReadyMade } from '../domain/ready-made.ts';

/** Limits of a strategy by name where its entry states none: a day that loses so much opens nothing more. */
export const READY_MADE_RISK: StrategyLimits = { maxDailyLoss: '5%', maxOrdersPerMinute: 60 };

/** The file of a strategy by name. */
export function readyMadeFile(name: ReadyMade): string {
  return join(fileURLToPath(new URL('../../strategies', import.meta.url)), `${name}.ts`);
}
