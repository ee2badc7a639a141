/** The other end of the socket, in a process of its own: it accepts every write, with ids as a venue gives them. Sends its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let next = 1;
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => (text += String(part)));
  request.on('end', () => {
    const body = JSON.parse(text || '{}') as { clientOid?: string; orderIdList?: { clientOid?: string; orderId?: string }[] };
    const data =
      body.orderIdList === undefined
        ? { orderId: `fu-${next++}`, clientOid: body.clientOid }
        : { successList: body.orderIdList.map((o) => ({ orderId: o.orderId ?? 'fu-0', clientOid: o.clientOid ?? '' })), failureList: [] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: '00000', msg: 'success', requestTime: Date.now(), data }));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// Without this it would outlive a measurement that failed, and hold its output open.
process.once('disconnect', () => process.exit());
