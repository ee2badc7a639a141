/** The dialects by the word of the configuration. In its own file, so that reading a configuration loads no endpoint. */
export const DIALECT_NAMES = ['interface', 'mix-v2'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];
