/** Addresses of Redis: what is read from them, and which are refused with which words. */
import { describe, expect, test } from 'vitest';
import { readRedisAddress, shownAddress, type RedisAddress } from '../../../src/base/redis-address.ts';

const PLAIN: RedisAddress = {
  isTls: false,
  user: '',
  password: '',
  database: 0,
  hosts: [{ host: '127.0.0.1', port: 6379 }],
  group: '',
  sentinelUser: '',
  sentinelPassword: '',
  tls: { ca: '', cert: '', key: '' },
};

describe('an address of Redis', () => {
  test.each<[string, Partial<RedisAddress>, string]>([
    ['redis://127.0.0.1', {}, '127.0.0.1:6379'],
    ['redis://127.0.0.1:7000/3', { hosts: [{ host: '127.0.0.1', port: 7000 }], database: 3 }, '127.0.0.1:7000'],
    ['redis://:p%40ss@127.0.0.1/', { password: 'p@ss' }, '127.0.0.1:6379'],
    ['redis://user:a:b@c@127.0.0.1', { user: 'user', password: 'a:b@c' }, '127.0.0.1:6379'],
    [
      'rediss://[::1]:1?ca=/a%20b.pem',
      { isTls: true, hosts: [{ host: '::1', port: 1 }], tls: { ca: '/a b.pem', cert: '', key: '' } },
      '[::1]:1',
    ],
    [
      'redis-sentinel://u:p@a,b:26380/my-group/2?sentinelPassword=s',
      {
        user: 'u',
        password: 'p',
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        group: 'my-group',
        database: 2,
        sentinelPassword: 's',
      },
      'my-group by the sentinels a:26379,b:26380',
    ],
  ])('%s is read', (text, parts, shown) => {
    const address = readRedisAddress(text) as RedisAddress;
    expect(address).toEqual({ ...PLAIN, ...parts });
    expect(shownAddress(address)).toBe(shown);
  });

  test.each([
    ['redis://a:1,b:2', 'expected one server, found 2: sentinels are given as redis-sentinel://HOST:26379,HOST:26379/NAME'],
    ['rediss://u:hunter2@a:1,b:2/0', 'expected one server, found 2: sentinels are given as rediss-sentinel://HOST:26379,HOST:26379/NAME'],
    ['redis-sentinel://a:1,b:2', 'expected the name of the primary after the sentinels'],
    ['redis-sentinel://a:1,/group', 'expected HOST or HOST:PORT, found ""'],
    ['redis-sentinel://a:1;b:2/group', 'expected HOST or HOST:PORT, found "a:1;b:2"'],
    ['redis://', 'expected HOST or HOST:PORT, found ""'],
    ['redis://host:0', 'expected HOST or HOST:PORT, found "host:0"'],
    ['redis://host:65536', 'expected HOST or HOST:PORT, found "host:65536"'],
    ['redis://host/one', 'expected the number of a database after the last "/"'],
    ['redis://host/1/2', 'expected the number of a database after the last "/"'],
    ['redis://host?ca=x', 'expected nothing after "?", found ca'],
    ['rediss://host?sentinelUser=x', 'expected ca, cert, key after "?", found sentinelUser'],
    ['rediss://host?cert=x', 'expected both cert and key, or neither'],
    ['redis://u:hunter2%@host', 'expected user and password with "%" written as "%25"'],
    ['http://u:hunter2@host', 'expected a Redis URL such as'],
    ['hunter2', 'expected a Redis URL such as'],
  ])('%s is refused, and no password is repeated', (text, problem) => {
    const said = readRedisAddress(text);
    expect(said).toContain(problem);
    expect(said).not.toContain('hunter2');
  });
});
