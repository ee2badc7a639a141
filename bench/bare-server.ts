/**
 * The floor of the paper exchange: a bare server of node:http that reads a body, checks its signature, parses it and answers. It keeps
 * nothing. Prints its URL. `node bench/bare-server.ts SECRET`
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign, signatureKey } from '../src/edge/signature.ts';

const key = signatureKey(process.argv[2] ?? '');
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const isSigned = headers['access-sign'] === sign(key, String(headers['access-timestamp']), method, url, body);
    const { clientOid } = JSON.parse(body) as { clientOid?: string };
    const time = Date.now();
    const data = { orderId: '1', clientOid };
    const answer = JSON.stringify({
      code: isSigned ? '00000' : '40009',
      msg: isSigned ? 'success' : 'sign signature error',
      requestTime: time,
      data,
    });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit(0));
