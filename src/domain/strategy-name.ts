/** Names of strategies. Saved state, halts and the parts of a report are found by them. */

/** What belongs to no strategy: fills of other parties and of orders without a strategy that close nobody's lots, and lots held before. */
export const EXTERNAL = 'external';
/** What the venue's one average cost of a leg moves between the strategies that share it; 0 once the leg is flat. */
export const NETTING = 'netting';

/** Words that stand beside the names of strategies in reports and commands. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['all', 'bot', 'wallet', EXTERNAL, NETTING, 'insurance']);

export const STRATEGY_NAME = 'a name of lower-case letters, digits and dashes';
export const STRATEGY_NAME_PATTERN = /^[a-z0-9][a-z0-9-]*$/;
