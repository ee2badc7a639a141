/** What the package lists of its packages: found in the lock file as Node.js finds them, and none with a licence that nobody has read. */
import { describe, expect, it } from 'vitest';
import { componentsOf, type Lock, type Product } from '../../../scripts/components.ts';

const PRODUCT: Product = { name: 'bot', version: '1.0.0', license: 'MIT', dependencies: { '@a/log': '1.0.0' } };
const integrity = `sha512-${Buffer.from('digest').toString('base64')}`;

function lockOf(more: Lock['packages'] = {}): Lock {
  return {
    packages: {
      'node_modules/@a/log': { version: '1.0.0', license: 'MIT', integrity, dependencies: { colours: '^2.0.0' } },
      'node_modules/@a/log/node_modules/colours': { version: '2.0.0', license: 'ISC', integrity, dependencies: { words: '^1.0.0' } },
      'node_modules/colours': { version: '1.0.0', license: 'MIT', integrity },
      'node_modules/words': { version: '1.0.0', license: 'MIT', integrity, dependencies: { '@a/log': '1.0.0' } },
      ...more,
    },
  };
}

describe('the packages of the product', () => {
  it('are those that it needs, the nearest in each place, in a circle too', () => {
    expect(componentsOf(PRODUCT, lockOf())).toEqual([
      {
        name: '@a/log',
        version: '1.0.0',
        licence: 'MIT',
        sha512: Buffer.from('digest').toString('hex'),
        needs: ['pkg:npm/colours@2.0.0'],
      },
      expect.objectContaining({ name: 'colours', version: '2.0.0', licence: 'ISC', needs: ['pkg:npm/words@1.0.0'] }),
      expect.objectContaining({ name: 'words', needs: ['pkg:npm/%40a/log@1.0.0'] }),
    ]);
  });

  it.each([
    [
      'a licence that is not on the list',
      { 'node_modules/words': { version: '1.0.0', license: 'GPL-3.0', integrity } },
      /words 1\.0\.0: expected one of the licences MIT, .*found "GPL-3\.0"/,
    ],
    ['no licence', { 'node_modules/words': { version: '1.0.0', integrity } }, /found ""/],
    ['no hash', { 'node_modules/words': { version: '1.0.0', license: 'MIT' } }, /words 1\.0\.0: expected a SHA-512/],
    [
      'a package that is not locked',
      { 'node_modules/words': { version: '1.0.0', license: 'MIT', integrity, dependencies: { gone: '1' } } },
      /expected gone in package-lock\.json/,
    ],
  ])('are refused with %s', (_what, more: Lock['packages'], message) => {
    expect(() => componentsOf(PRODUCT, lockOf(more))).toThrow(message);
  });
});
