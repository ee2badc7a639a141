/** Which variables are not keys of the configuration. Cheap: the command line asks it before it decides to load the schema. */

/**
 * Read elsewhere: TICKWRIGHT_DEBUG shows stack traces, TICKWRIGHT_STATE_HOME names the folder of the account locks, TICKWRIGHT_NODE the
 * Node.js that PM2 runs the bot on, TICKWRIGHT_ADMIN_TOKEN is the token of the paper exchange's admin interface.
 */
export const RESERVED_VARIABLES: readonly string[] = [
  'TICKWRIGHT_DEBUG',
  'TICKWRIGHT_STATE_HOME',
  'TICKWRIGHT_NODE',
  'TICKWRIGHT_ADMIN_TOKEN',
];

/** Whether any variable configures something (secrets count: they must leave the environment). */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith('TICKWRIGHT_') && !RESERVED_VARIABLES.includes(name));
}
