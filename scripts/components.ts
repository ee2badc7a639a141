/** What is installed with the package, from the lock file: a software bill of materials (CycloneDX 1.6), and a list of licences for people. */

/** Licences that ask no more than to be named. Another one is a decision of a person, who adds it here. */
const LICENCES: readonly string[] = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

/** An entry of the lock file, by its folder: "node_modules/pino". */
interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** The package itself. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface Component {
  /** "@pinojs/redact". */
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** SHA-512 of the file of the registry, in hexadecimal digits. */
  readonly sha512: string;
  /** Package URLs of what it needs. */
  readonly needs: readonly string[];
}

/** Package URL of a package on npm: "pkg:npm/%40pinojs/redact@0.4.0". */
function packageUrl({ name, version }: Pick<Component, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** All packages that the product needs, directly or not, sorted. @throws Error if one is not locked, or its licence is not on the list */
export function componentsOf(product: Product, lock: Lock): readonly Component[] {
  const found = new Map<string, Component>();
  const open = Object.keys(product.dependencies).map((name) => placeOf(lock, '', name));
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (found.has(place)) continue;
    const { version, license = '', integrity = '', dependencies = {} } = lock.packages[place]!;
    const name = nameAt(place);
    if (!LICENCES.includes(license)) {
      throw new Error(
        `${name} ${version}: expected one of the licences ${LICENCES.join(', ')}, found "${license}"; read it, then add it or drop the package`,
      );
    }
    if (!integrity.startsWith('sha512-'))
      throw new Error(`${name} ${version}: expected a SHA-512 in package-lock.json, found "${integrity}"`);
    const from = place;
    const places = Object.keys(dependencies).map((one) => placeOf(lock, from, one));
    const needs = places.map((one) => packageUrl({ name: nameAt(one), version: lock.packages[one]!.version }));
    const sha512 = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    found.set(place, { name, version, licence: license, sha512, needs: needs.sort() });
    open.push(...places);
  }
  return [...found.values()].sort((a, b) => (packageUrl(a) < packageUrl(b) ? -1 : 1));
}

/** "@pinojs/redact" of "node_modules/pino/node_modules/@pinojs/redact". */
function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** The folder from which a file in `from` imports `name`, as Node.js looks for it. */
function placeOf(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in lock.packages) return place;
    if (folder === '') throw new Error(`expected ${name} in package-lock.json, found none; run npm install`);
  }
}

/** CycloneDX 1.6 as JSON text. Without time and number of its own, so that the same packages give the same text. */
export function softwareBill(product: Product, components: readonly Component[]): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': packageUrl(product),
        name: product.name,
        version: product.version,
        licenses: [{ license: { id: product.license } }],
        purl: packageUrl(product),
      },
    },
    components: components.map((one) => {
      const [group, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name];
      return {
        type: 'library',
        'bom-ref': packageUrl(one),
        group,
        name,
        version: one.version,
        hashes: [{ alg: 'SHA-512', content: one.sha512 }],
        licenses: [{ license: { id: one.licence } }],
        purl: packageUrl(one),
      };
    }),
    dependencies: [
      { ref: packageUrl(product), dependsOn: directOf(product, components).map(packageUrl) },
      ...components.map((one) => ({ ref: packageUrl(one), dependsOn: one.needs })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function directOf(product: Product, components: readonly Component[]): readonly Component[] {
  return components.filter(({ name, version }) => product.dependencies[name] === version);
}

/** The list of licences, as Markdown. */
export function licenceList(product: Product, components: readonly Component[]): string {
  const rows = components.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [
    `# Licences`,
    '',
    `${product.name} ${product.version} has the licence ${product.license}. npm installs these packages with it; the text of each licence is in its folder.`,
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
