/**
 * Compact encoding of a stream of plain values. An object is written as its difference from the last object with the same keys and the same
 * `instrument` (or `kind`). The very same object again costs one or two bytes. Reader and writer keep the same memory of earlier objects,
 * so a stream must be read from its start and in order.
 * size: the writer and the reader of one format
 */
import { AssertionError } from '../../base/failure/assert.ts';

const UNDEFINED = 0;
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
/** A number as eight bytes, used if it is not a small difference. */
const DOUBLE = 4;
/** The difference from the previous number of this field, as a variable number of bytes. */
const DELTA = 5;
/** Same value as before in this field. */
const AS_BEFORE = 6;
/** Length of the common start with the previous text, then the rest in UTF-8 or UTF-16. */
const TEXT = 7;
const TEXT_16 = 8;
const LIST = 9;
/** An object with a new set of keys. */
const NEW_OBJECT = 10;
/**
 * An object of a known slot: either the slot number follows, or it is the slot after the last one. Its values changed, or it is the same
 * object.
 */
const CHANGED = 11;
const CHANGED_NEXT = 12;
const SAME = 13;
const SAME_NEXT = 14;
/** Differences from −112 to 111 take one byte. */
const SMALL = 32;
const SMALL_SPAN = 112;
/** Maximum number of remembered slots. */
const SLOTS_MAX = 200_000;

interface Slot {
  readonly keys: readonly string[];
  source: object;
  readonly values: unknown[];
}

/** A set of keys. Objects of one instrument or of one kind resemble each other and share a slot. */
interface Shape {
  readonly keys: readonly string[];
  readonly slots: Map<unknown, number>;
}

function hasKeys({ keys }: Shape, found: readonly string[]): boolean {
  if (keys.length !== found.length) return false;
  for (let k = 0; k < found.length; k++) if (keys[k] !== found[k]) return false;
  return true;
}

/** Encodes values into one growing buffer. */
export class Packer {
  #bytes = Buffer.allocUnsafe(65_536);
  #at = 0;
  #slots: Slot[] = [];
  /** Shapes by their first key. */
  #shapes = new Map<string, Shape[]>();
  #last = -1;

  /** Bytes that have not been taken yet. */
  get length(): number {
    return this.#at;
  }

  /** Returns a copy of the bytes since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  /** Starts a new stream: forgets all earlier objects. */
  reset(): void {
    this.#slots = [];
    this.#shapes = new Map();
    this.#last = -1;
  }

  /** Appends null, undefined, a boolean, number, text, list or plain object. An object must not be changed afterwards. */
  put(value: unknown): void {
    this.#value(value, undefined);
  }

  #value(value: unknown, before: unknown): void {
    switch (typeof value) {
      case 'number':
        return this.#number(value, before);
      case 'string':
        return this.#text(value, before);
      case 'boolean':
        return this.#byte(value ? TRUE : FALSE);
      case 'undefined':
        return this.#byte(UNDEFINED);
      case 'object':
        if (value === null) return this.#byte(NULL);
        return Array.isArray(value) ? this.#list(value) : this.#object(value as Readonly<Record<string, unknown>>);
      default:
        throw new AssertionError(`a value of type ${typeof value} cannot be packed`);
    }
  }

  #number(value: number, before: unknown): void {
    const base = typeof before === 'number' && Number.isSafeInteger(before) ? before : 0;
    const delta = value - base;
    if (!Number.isSafeInteger(value) || Object.is(value, -0) || !Number.isSafeInteger(delta)) {
      if (Object.is(value, before)) return this.#byte(AS_BEFORE);
      this.#room(9);
      this.#byte(DOUBLE);
      this.#at = this.#bytes.writeDoubleLE(value, this.#at);
    } else if (delta >= -SMALL_SPAN && delta < SMALL_SPAN) this.#byte(SMALL + SMALL_SPAN + delta);
    else {
      this.#byte(DELTA);
      // The lowest bit is the sign.
      this.#whole(Math.abs(delta) % 2 ** 52, delta < 0, Math.abs(delta) >= 2 ** 52);
    }
  }

  /** Writes a whole number below 2^52 and two flags. */
  #whole(size: number, isNegative: boolean, isHuge: boolean): void {
    this.#room(10);
    let rest = size;
    this.#bytes[this.#at++] = (isNegative ? 1 : 0) | (isHuge ? 2 : 0) | ((rest % 32) << 2) | (rest >= 32 ? 128 : 0);
    rest = Math.floor(rest / 32);
    while (rest > 0) {
      this.#bytes[this.#at++] = (rest % 128) | (rest >= 128 ? 128 : 0);
      rest = Math.floor(rest / 128);
    }
  }

  #count(value: number): void {
    this.#room(10);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  #text(value: string, before: unknown): void {
    if (value === before) return this.#byte(AS_BEFORE);
    let common = 0;
    if (typeof before === 'string') {
      const most = Math.min(before.length, value.length);
      while (common < most && before.charCodeAt(common) === value.charCodeAt(common)) common++;
    }
    const rest = value.slice(common);
    const encoding = rest.isWellFormed() ? 'utf8' : 'utf16le';
    const length = Buffer.byteLength(rest, encoding);
    this.#byte(encoding === 'utf8' ? TEXT : TEXT_16);
    this.#count(common);
    this.#count(length);
    this.#room(length);
    this.#bytes.write(rest, this.#at, encoding);
    this.#at += length;
  }

  #list(list: readonly unknown[]): void {
    this.#byte(LIST);
    this.#count(list.length);
    let before: unknown;
    for (const value of list) {
      this.#value(value, before);
      before = value;
    }
  }

  #object(value: Readonly<Record<string, unknown>>): void {
    const next = this.#slots[this.#last + 1];
    if (next !== undefined && next.source === value) {
      this.#last++;
      return this.#byte(SAME_NEXT);
    }
    const keys = Object.keys(value);
    const shape = this.#shapeOf(keys);
    const own = typeof value['instrument'] === 'number' ? value['instrument'] : value['kind'];
    const index = shape.slots.get(own);
    if (index === undefined) return this.#newObject(value, shape, own);
    const slot = this.#slots[index]!;
    const isNext = index === this.#last + 1;
    if (slot.source === value) this.#byte(isNext ? SAME_NEXT : SAME);
    else this.#byte(isNext ? CHANGED_NEXT : CHANGED);
    if (!isNext) this.#count(index);
    this.#last = index;
    if (slot.source === value) return;
    slot.source = value;
    for (let k = 0; k < keys.length; k++) {
      const one = value[keys[k]!];
      this.#value(one, slot.values[k]);
      slot.values[k] = one;
    }
    this.#last = index;
  }

  #shapeOf(keys: readonly string[]): Shape {
    const first = keys[0] ?? '';
    const alike = this.#shapes.get(first) ?? [];
    const known = alike.find((shape) => hasKeys(shape, keys));
    if (known !== undefined) return known;
    const made = { keys, slots: new Map<unknown, number>() };
    this.#shapes.set(first, [...alike, made]);
    return made;
  }

  #newObject(value: Readonly<Record<string, unknown>>, { keys, slots }: Shape, own: unknown): void {
    this.#byte(NEW_OBJECT);
    this.#count(keys.length);
    for (const name of keys) this.#text(name, undefined);
    // Its slot comes before the slots of the objects nested in it.
    const index = this.#slots.length;
    const values: unknown[] = [];
    if (index < SLOTS_MAX) {
      slots.set(own, index);
      this.#slots.push({ keys, source: value, values });
    }
    for (const name of keys) {
      this.#value(value[name], undefined);
      values.push(value[name]);
    }
    this.#last = index;
  }

  #byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Decodes what a `Packer` wrote, from the start of its stream. */
export class Unpacker {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #slots: Slot[] = [];
  #last = -1;

  /** Continues with these bytes. The previous ones must have ended with a complete value. */
  feed(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Returns the next value. @throws AssertionError if the bytes were not written by a packer */
  next(): unknown {
    return this.#value(undefined);
  }

  #value(before: unknown): unknown {
    const tag = this.#byte();
    if (tag >= SMALL) return (typeof before === 'number' && Number.isSafeInteger(before) ? before : 0) + tag - SMALL - SMALL_SPAN;
    switch (tag) {
      case UNDEFINED:
        return undefined;
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case DOUBLE:
        this.#at += 8;
        return this.#bytes.readDoubleLE(this.#at - 8);
      case DELTA:
        return (typeof before === 'number' && Number.isSafeInteger(before) ? before : 0) + this.#whole();
      case AS_BEFORE:
        return before;
      case TEXT:
        return this.#text(before, 'utf8');
      case TEXT_16:
        return this.#text(before, 'utf16le');
      case LIST:
        return this.#list();
      case NEW_OBJECT:
        return this.#newObject();
      case CHANGED:
      case CHANGED_NEXT:
        return this.#changed(tag === CHANGED ? this.#count() : this.#last + 1);
      case SAME:
      case SAME_NEXT:
        this.#last = tag === SAME ? this.#count() : this.#last + 1;
        return this.#slot(this.#last).source;
      default:
        throw new AssertionError(`expected the tag of a packed value, found ${tag}`);
    }
  }

  #list(): unknown[] {
    const count = this.#count();
    const list: unknown[] = [];
    for (let k = 0; k < count; k++) list.push(this.#value(list.at(-1)));
    return list;
  }

  #newObject(): object {
    const keys = Array.from({ length: this.#count() }, () => {
      if (this.#byte() !== TEXT) throw new AssertionError('expected the key of a packed object, found another value');
      return this.#text(undefined, 'utf8');
    });
    const index = this.#slots.length;
    const value: Record<string, unknown> = {};
    const slot: Slot = { keys, source: value, values: [] };
    if (index < SLOTS_MAX) this.#slots.push(slot);
    for (const key of keys) {
      const one = this.#value(undefined);
      value[key] = one;
      slot.values.push(one);
    }
    this.#last = index;
    return value;
  }

  #changed(index: number): object {
    const slot = this.#slot(index);
    this.#last = index;
    const value: Record<string, unknown> = {};
    slot.source = value;
    slot.keys.forEach((key, k) => {
      slot.values[k] = value[key] = this.#value(slot.values[k]);
    });
    this.#last = index;
    return value;
  }

  #slot(index: number): Slot {
    const slot = this.#slots[index];
    if (slot === undefined) throw new AssertionError(`packed bytes refer to object ${index}, which was not packed`);
    return slot;
  }

  #text(before: unknown, encoding: 'utf8' | 'utf16le'): string {
    const common = this.#count();
    const length = this.#count();
    this.#at += length;
    const rest = this.#bytes.toString(encoding, this.#at - length, this.#at);
    return common === 0 ? rest : (before as string).slice(0, common) + rest;
  }

  #whole(): number {
    const first = this.#byte();
    let size = (first >> 2) & 31;
    for (let scale = 32, more = first >= 128; more; scale *= 128) {
      const byte = this.#byte();
      size += (byte & 127) * scale;
      more = byte >= 128;
    }
    if ((first & 2) !== 0) size += 2 ** 52;
    return (first & 1) === 0 ? size : -size;
  }

  #count(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new AssertionError('packed bytes end in the middle of a value');
    return byte;
  }
}
