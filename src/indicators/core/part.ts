/**
 * Everything that keeps state inside an indicator is a Part: it saves all its fields, restores them and resets them. Fields are ordinary
 * properties and not `#private` ones, because one piece of code walks them for all parts. A number, a boolean, a typed array, a part and
 * a list of parts are state; anything else (a function, a string) is a constant.
 */

/** The saved fields of a part. JSON keeps each bit: numbers that JSON lacks (NaN, infinities, −0) are saved as text. */
export interface Saved {
  readonly [field: string]: SavedValue;
}
type SavedNumber = number | string;
type SavedValue = SavedNumber | boolean | readonly SavedNumber[] | Saved | readonly Saved[];

type Scalars = Readonly<Record<string, number | boolean>>;

/** A piece of an indicator with state. Its initial scalars are noted with the first call of `seal`; arrays begin with zeros. */
export abstract class Part {
  /** The scalar fields of a fresh part, for `reset`. */
  initial: Scalars | null = null;

  /** Notes what a fresh part looks like. Whoever constructs the outermost part calls it once. */
  seal(): void {
    const scalars: Record<string, number | boolean> = {};
    for (const [key, field] of Object.entries(this)) {
      if (typeof field === 'number' || typeof field === 'boolean') scalars[key] = field;
    }
    this.initial = scalars;
    for (const part of partsOf(this)) part.seal();
  }

  /** Back to the state of a fresh part. */
  reset(): void {
    if (this.initial !== null) Object.assign(this, this.initial);
    for (const field of Object.values(this)) if (field instanceof Float64Array) field.fill(0);
    for (const part of partsOf(this)) part.reset();
  }

  /** All state, as plain JSON. */
  save(): Saved {
    const saved: Record<string, SavedValue> = {};
    for (const [key, field] of Object.entries(this)) {
      if (key === 'initial') continue;
      if (typeof field === 'number') saved[key] = packed(field);
      else if (typeof field === 'boolean') saved[key] = field;
      else if (field instanceof Float64Array) saved[key] = Array.from(field, packed);
      else if (field instanceof Part) saved[key] = field.save();
      else if (isPartList(field)) saved[key] = field.map((part) => part.save());
    }
    return saved;
  }

  /** Takes the state of `save`. @throws RangeError if it is the state of something else; then nothing is said of what was taken */
  restore(saved: Saved): void {
    const own = this as unknown as Record<string, unknown>;
    for (const [key, field] of Object.entries(this)) {
      if (key === 'initial') continue;
      const from = isRecord(saved) ? saved[key] : undefined;
      if (typeof field === 'number') own[key] = unpacked(from, key);
      else if (typeof field === 'boolean') own[key] = expected(typeof from === 'boolean', from, key);
      else if (field instanceof Float64Array) unpackInto(field, from, key);
      else if (field instanceof Part) field.restore(expected(isRecord(from), from, key) as Saved);
      else if (isPartList(field)) restoreList(field, from, key);
    }
  }
}

function partsOf(part: Part): Part[] {
  return Object.values(part).flatMap((field: unknown) => (field instanceof Part ? [field] : isPartList(field) ? field : []));
}

function isPartList(field: unknown): field is Part[] {
  return Array.isArray(field) && field.length > 0 && field.every((one) => one instanceof Part);
}

function isRecord(value: unknown): value is Record<string, SavedValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function packed(value: number): SavedNumber {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

const NAMED = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

function unpacked(value: unknown, key: string): number {
  if (typeof value === 'string' && NAMED.has(value)) return Number(value);
  return expected(typeof value === 'number', value, key) as number;
}

function unpackInto(field: Float64Array, from: unknown, key: string): void {
  const list = expected(Array.isArray(from) && from.length === field.length, from, key) as readonly unknown[];
  for (let i = 0; i < field.length; i++) field[i] = unpacked(list[i], key);
}

function restoreList(parts: readonly Part[], from: unknown, key: string): void {
  const list = expected(Array.isArray(from) && from.length === parts.length, from, key) as readonly unknown[];
  for (const [index, part] of parts.entries()) part.restore(expected(isRecord(list[index]), list[index], key) as Saved);
}

function expected(isRight: boolean, value: unknown, key: string): unknown {
  if (isRight) return value;
  throw new RangeError(
    `a saved indicator has no usable field "${key}": give what save() of the same indicator returned, found ${typeof value}`,
  );
}
