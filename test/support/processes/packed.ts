/** The package as `npm pack` makes it, kept in var/packed until a tracked file changes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT, trackedFiles } from '../../tidy/source.ts';

/** Our variables without those of the npm that runs these tests. */
export function clean(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|TICKWRIGHT_|VITEST|NODE_ENV)/.test(name)));
}

export function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = clean()): string {
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * The paths of tickwright-VERSION.tgz and create-tickwright-VERSION.tgz, of the tracked files as they are. @throws Error if packing leaves
 * another manifest in the checkout
 */
export function packedPackages(): { readonly tickwright: string; readonly create: string } {
  const files = trackedFiles();
  const digest = createHash('sha256');
  for (const path of files) digest.update(path).update(readFileSync(join(ROOT, path)));
  const kept = join(ROOT, 'var/packed', digest.digest('hex').slice(0, 16));
  if (!existsSync(kept)) {
    const made = `${kept}.${process.pid}`;
    pack(files, made);
    // Another process may have been faster.
    if (!existsSync(kept)) renameSync(made, kept);
    for (const old of readdirSync(dirname(kept)))
      if (!old.startsWith(basename(kept))) rmSync(join(dirname(kept), old), { recursive: true });
  }
  const [create = '', tickwright = ''] = readdirSync(kept).sort();
  return { tickwright: join(kept, tickwright), create: join(kept, create) };
}

/** Packs the tracked files once more, from another folder, into `target`. */
export function packAgain(target: string): void {
  pack(trackedFiles(), target);
}

/** Packs a copy of the tracked files: packing changes the manifest for a moment, and other tests read it. */
function pack(files: readonly string[], target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-pack-'));
  try {
    const checkout = join(folder, 'checkout');
    for (const path of files) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      cpSync(join(ROOT, path), join(checkout, path));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    mkdirSync(target, { recursive: true });
    for (const which of ['.', './create-tickwright']) npm(['pack', which, '--pack-destination', target], checkout);
    const [after, before] = [checkout, ROOT].map((place) => readFileSync(join(place, 'package.json'), 'utf8'));
    if (after !== before) throw new Error('packing left another package.json in the checkout');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
