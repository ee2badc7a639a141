/** The changes that an operator made to strategies while the bot ran: parameters by name, or symbols, each "added" or "removed". */

/** By strategy. */
export type GivenByStrategy = Readonly<Record<string, Given>>;
type Given = Readonly<Record<string, string>>;

/** What was given, with one more. An empty value restores that of the configuration. */
export function givenWith(given: Given | undefined, key: string, value: string): Given {
  const all = { ...given, [key]: value };
  if (value === '') delete all[key];
  return all;
}
