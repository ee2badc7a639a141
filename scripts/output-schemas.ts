/**
 * The schemas of what commands print with `--json`, which the TypeScript compiler reads from the types in src/cli/outputs/outputs.ts. A field
 * whose docstring says NaN may be null: JSON has no such number.
 */
import {
  SignatureKind,
  SymbolFlags,
  TypeFlags,
  type Checker,
  type LiteralType,
  type Project,
  type Symbol,
  type TupleType,
  type Type,
  type TypeReference,
} from 'typescript/unstable/sync';
import type { Schema, Schemas } from '../src/cli/outputs/output-schema.ts';
import { exportsOf } from './in-project.ts';

/** @throws TypeError for a type that JSON cannot show, with the fields that lead to it */
export function outputSchemas(project: Project): Schemas {
  const outputs = exportsOf(project, 'src/cli/outputs/outputs.ts').find(({ name }) => name === 'Outputs')!;
  return new Reader(project.checker).schemas(project.checker.getDeclaredTypeOfSymbol(outputs));
}

class Reader {
  readonly #checker: Checker;
  /** By name. */
  readonly #defs = new Map<string, Schema>();
  /** Of the types that have one, by id. */
  readonly #names = new Map<number, string>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  schemas(outputs: Type): Schemas {
    const commands = this.#checker.getPropertiesOfType(outputs).map((one) => [one.name, this.#property(one, one.name)] as const);
    const sorted = (entries: Iterable<readonly [string, Schema]>): Record<string, Schema> =>
      Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { commands: sorted(commands), $defs: sorted(this.#defs) };
  }

  #property(symbol: Symbol, path: string, isNaN = false): Schema {
    const doc = symbol.getDocumentationComment(this.#checker).replaceAll(/\s+/g, ' ').trim();
    const schema = this.#schema(this.#checker.getTypeOfSymbol(symbol)!, path, isNaN || /\bNaN\b/.test(doc));
    return doc === '' ? schema : { description: doc, ...schema };
  }

  /** `isNaN`: its numbers may be NaN. */
  #schema(type: Type, path: string, isNaN: boolean): Schema {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {};
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.BooleanLiteral))
      return { const: (type as LiteralType).value as string | number | boolean };
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (flags & TypeFlags.Number) return { type: isNaN ? ['number', 'null'] : 'number' };
    if (flags & TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnionType()) return this.#union(type.getTypes(), path, isNaN);
    if (type.isIntersectionType()) {
      // A number or text with a brand.
      const plain = type.getTypes().find((one) => (one.flags & TypeFlags.Object) === 0);
      return plain === undefined ? this.#object(type, path, isNaN) : this.#schema(plain, path, isNaN);
    }
    if (this.#checker.isTupleType(type)) {
      const items = this.#checker.getTypeArguments(type as TypeReference).map((one) => this.#schema(one, `${path}[]`, isNaN));
      const { fixedLength } = (type as TypeReference).getTarget() as TupleType;
      return { type: 'array', prefixItems: items, minItems: fixedLength, maxItems: fixedLength };
    }
    if (this.#checker.isArrayType(type))
      return { type: 'array', items: this.#schema(this.#checker.getTypeArguments(type as TypeReference)[0]!, `${path}[]`, isNaN) };
    if (flags & TypeFlags.Object && this.#checker.getSignaturesOfType(type, SignatureKind.Call).length === 0)
      return this.#named(type, path, isNaN);
    throw new TypeError(`${path}: expected a type that JSON can show, found ${this.#checker.typeToString(type)}`);
  }

  #union(types: readonly Type[], path: string, isNaN: boolean): Schema {
    const shown = types.filter(({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) === 0);
    const isLiteral = ({ flags }: Type): boolean => (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral)) !== 0;
    const isTruth = ({ flags }: Type): boolean => (flags & TypeFlags.BooleanLiteral) !== 0;
    const words = shown.filter(isLiteral).map((one) => (one as LiteralType).value as string | number);
    const truths = shown.filter(isTruth);
    const parts: Schema[] = [
      ...(words.length > 1 ? [{ enum: words.toSorted((a, b) => (a < b ? -1 : 1)) }] : words.map((word) => ({ const: word }))),
      ...(truths.length === 2 ? [{ type: 'boolean' } as const] : truths.map((one) => this.#schema(one, path, isNaN))),
      ...shown.filter((one) => !isLiteral(one) && !isTruth(one)).map((one) => this.#schema(one, path, isNaN)),
    ];
    if (parts.length === 1) return parts[0]!;
    const isPlain = parts.every((one) => typeof one.type === 'string' && Object.keys(one).length === 1);
    return isPlain ? { type: parts.map(({ type }) => type as string).toSorted() } : { anyOf: parts };
  }

  /** A type with a name and without parameters is written once. */
  #named(type: Type, path: string, isNaN: boolean): Schema {
    const alias = type.getAliasSymbol();
    const isGeneric = alias === undefined ? this.#isGeneric(type) : type.getAliasTypeArguments().length > 0;
    const own = alias ?? (type.isClassOrInterface() ? type.getSymbol() : undefined);
    if (own === undefined || isGeneric) return this.#object(type, path, isNaN);
    let name = this.#names.get(type.id);
    if (name === undefined) {
      name = own.name;
      for (let k = 2; [...this.#names.values()].includes(name); k++) name = `${own.name}${k}`;
      this.#names.set(type.id, name);
      this.#defs.set(name, this.#object(type, name, false));
    }
    return { $ref: `#/$defs/${name}` };
  }

  #isGeneric(type: Type): boolean {
    return type.isClassOrInterface() && type.getTypeParameters().length > 0;
  }

  #object(type: Type, path: string, isNaN: boolean): Schema {
    const checker = this.#checker;
    const all = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__'));
    const index = checker.getIndexInfosOfType(type)[0];
    const properties = all.map((one) => [one.name, this.#property(one, `${path}.${one.name}`, isNaN)] as const);
    const required = all.filter((one) => !this.#mayBeMissing(one)).map(({ name }) => name);
    return {
      type: 'object',
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : { additionalProperties: this.#value(index.valueType, path, isNaN) }),
    };
  }

  /** Of keys that are data; false if there are none. */
  #value(type: Type, path: string, isNaN: boolean): Schema | false {
    return type.flags & TypeFlags.Never ? false : this.#schema(type, `${path}[]`, isNaN);
  }

  #mayBeMissing(symbol: Symbol): boolean {
    if (symbol.flags & SymbolFlags.Optional) return true;
    const type = this.#checker.getTypeOfSymbol(symbol)!;
    return [type, ...(type.isUnionType() ? type.getTypes() : [])].some(({ flags }) => flags & TypeFlags.Undefined);
  }
}
