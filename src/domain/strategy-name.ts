/** Names of strategies. Saved state, halts and the parts of a report are found by them. */

/** Words that stand beside the names of strategies in reports and commands. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['all', 'bot', 'wallet', 'external', 'netting', 'insurance']);

export const STRATEGY_NAME = 'a name of lower-case letters, digits and dashes';
export const STRATEGY_NAME_PATTERN = /^[a-z0-9][a-z0-9-]*$/;
