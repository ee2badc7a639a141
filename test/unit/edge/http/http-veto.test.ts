/** A request that waits for a connection is checked again before it is written: a halt raised meanwhile withholds it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../../../src/edge/http/base-url.ts';
import { HttpTransport } from '../../../../src/edge/http/transport.ts';

test('a write that is withheld while it waits never reaches the venue, and is known not to have', async () => {
  const arrived: string[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    arrived.push(request.url ?? '');
    held.push(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = parseBaseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const transport = new HttpTransport({ base, clock: { now: () => performance.now() }, connections: 1, timeoutMs: 10_000 });
  const write = { method: 'POST', headers: {}, body: '{}', isWrite: true } as const;
  let isHalted = false;
  const first = transport.send({ ...write, target: '/first' });
  const second = transport.send({ ...write, target: '/second', veto: () => (isHalted ? 'halted' : null) });
  const third = transport.send({ ...write, target: '/third', veto: () => null });
  await expect.poll(() => held.length).toBe(1);
  isHalted = true;
  held[0]!.end('{}');
  expect(await first).toMatchObject({ ok: true });
  expect(await second).toMatchObject({ ok: false, phase: 'before-send', cause: 'halted' });
  await expect.poll(() => held.length).toBe(2);
  held[1]!.end('{}');
  expect(await third).toMatchObject({ ok: true });
  expect(arrived).toEqual(['/first', '/third']);
  await transport.close();
  server.close();
});
