/** Signs a request of a generated client with the demo account of the paper exchange. */
import { createHmac } from 'node:crypto';

export async function sign(request: Request): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const timestamp = String(Date.now());
  const body = request.method === 'POST' ? await request.clone().text() : '';
  const text = timestamp + request.method + pathname + search + body;
  request.headers.set('ACCESS-KEY', 'demo-key');
  request.headers.set('ACCESS-PASSPHRASE', 'demo-pass');
  request.headers.set('ACCESS-TIMESTAMP', timestamp);
  request.headers.set('ACCESS-SIGN', createHmac('sha256', 'demo-secret').update(text).digest('base64'));
  return request;
}
