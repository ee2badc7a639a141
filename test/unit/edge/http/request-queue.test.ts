/** Whose request is answered next: callers that pipeline delay themselves, and others by one answer. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestQueue, type Step } from '../../../../src/edge/serve/request-queue.ts';

/** What one answer takes on the clock of the queue. */
const ANSWER_MS = 1;

class Caller extends EventEmitter {
  destroyed = false;
  /** False if the answers stay in the buffer of the connection. */
  reads = true;
  isPaused = false;
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
}

class Scene {
  now = 0;
  /** Names of the callers in the order in which they were answered. */
  readonly answered: string[] = [];
  readonly #queue = new RequestQueue(() => this.now);

  ask(name: string, caller: Caller, isSigned = false, ready: Promise<void> | null = null): void {
    const response = new EventEmitter();
    const answer = (): null => {
      this.now += ANSWER_MS;
      this.answered.push(name);
      if (caller.reads) process.nextTick(() => response.emit('close'));
      return null;
    };
    const first: Step = ready === null ? answer : () => ({ ready, step: answer });
    this.#queue.run(caller as unknown as Socket, isSigned, response as unknown as ServerResponse, first);
  }

  async until(isOver: () => boolean): Promise<void> {
    for (let turns = 0; turns < 20_000 && !isOver(); turns++) await setImmediate();
    assert.ok(isOver());
  }
}

describe('the next answer', () => {
  it.each([true, false])('comes after four others at most while 300 callers pipeline (they read: %s)', async (reads) => {
    const scene = new Scene();
    const flood = Array.from({ length: 300 }, () => Object.assign(new Caller(), { reads }));
    for (const caller of flood) for (let k = 0; k < 30; k++) scene.ask('flood', caller, k % 2 === 0);
    const other = new Caller();
    for (let k = 0; k < 50; k++) {
      const before = scene.answered.length;
      scene.ask('other', other, k % 2 === 0);
      await scene.until(() => scene.answered.indexOf('other', before) >= 0);
      expect(scene.answered.indexOf('other', before) - before).toBeLessThanOrEqual(4);
      await setImmediate();
    }
    // A caller that does not read has one answer in its buffer and gets no other.
    if (!reads) return expect(scene.answered.filter((name) => name === 'flood').length).toBeLessThanOrEqual(300);
    await scene.until(() => scene.answered.filter((name) => name === 'flood').length === 9_000);
  });

  it('to a caller that pipelines comes while callers without pipelining keep coming', async () => {
    const scene = new Scene();
    const piped = new Caller();
    for (let k = 0; k < 5; k++) scene.ask('piped', piped);
    const others = Array.from({ length: 50 }, () => new Caller());
    for (let round = 0; round < 10; round++) {
      for (const caller of others) scene.ask('other', caller);
      await scene.until(() => scene.answered.filter((name) => name === 'other').length === (round + 1) * others.length);
    }
    expect(scene.answered.filter((name) => name === 'piped')).toHaveLength(5);
  });

  it('comes in turns also to many that waited for the same', async () => {
    const scene = new Scene();
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    const callers = Array.from({ length: 100 }, () => new Caller());
    for (const [k, caller] of callers.entries()) for (const name of ['first', 'second']) scene.ask(`${name} ${k}`, caller, false, ready);
    await setImmediate();
    isReady();
    await scene.until(() => scene.answered.length > 0);
    expect(scene.answered.length).toBeLessThan(20);
    await scene.until(() => scene.answered.length === 200);
    for (const k of callers.keys()) expect(scene.answered.indexOf(`first ${k}`)).toBeLessThan(scene.answered.indexOf(`second ${k}`));
  });

  it('of a connection comes in the order of its requests, one a turn', async () => {
    const scene = new Scene();
    const piped = new Caller();
    for (let k = 0; k < 12; k++) scene.ask(String(k), piped, k % 3 === 0);
    expect(scene.answered).toEqual(['0']);
    expect(piped.isPaused).toBe(true);
    await scene.until(() => scene.answered.length === 12);
    expect(scene.answered).toEqual(Array.from({ length: 12 }, (_, k) => String(k)));
    expect(piped.isPaused).toBe(false);
  });
});
