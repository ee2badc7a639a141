/**
 * The atomic steps as Lua scripts. Redis does not roll back a script that fails halfway, so each script checks first and writes last. KEYS
 * are in the order of `scriptKeys`: lease, fence, head, journal, entries.
 */
import type { Keys } from './keys.ts';

export function scriptKeys(keys: Keys): string[] {
  return [keys.lease, keys.fence, keys.head, keys.journal, keys.entries];
}

/**
 * Takes the lease. ARGV: name, lease ms, format, genesis for a new journal, run id of the server. Safe to repeat: our own lease is
 * recognised by its name. The result says "returned" if the head shows that the holder before us gave its lease back in this run of the
 * server. A server that was restarted or replaced may have forgotten a later holder. → ['ok', fence, 'returned' or 'open', format, genesis,
 * position, link, name of the last commit] or ['held', by, ms left].
 */
export const ACQUIRE = `
local holder = redis.call('GET', KEYS[1])
local fence, name = string.match(holder or '', '^(%d+) (.+)$')
if holder and name ~= ARGV[1] then return {'held', holder, tostring(redis.call('PTTL', KEYS[1]))} end
if not holder then
  fence = redis.call('INCR', KEYS[2])
  redis.call('SET', KEYS[1], fence .. ' ' .. ARGV[1], 'PX', ARGV[2])
end
if redis.call('EXISTS', KEYS[3]) == 0 and redis.call('EXISTS', KEYS[4]) == 0 then
  redis.call('HSET', KEYS[3], 'format', ARGV[3], 'genesis', ARGV[4], 'position', '0', 'link', ARGV[4])
end
local head = redis.call('HMGET', KEYS[3], 'format', 'genesis', 'position', 'link', 'commit', 'returned')
local before = 'open'
if head[6] == string.format('%.0f', tonumber(fence) - 1) .. ' ' .. ARGV[5] then before = 'returned' end
return {'ok', tostring(fence), before, head[1], head[2], head[3], head[4], head[5] or ''}
`;

/**
 * Renews the lease. ARGV: fence, name, lease ms. As long as nobody took a higher fencing number, even an expired lease can be renewed. A
 * server that lost our number may have given the same one to another holder; the name in the lease shows it. → ['ok'] or ['lost', fence
 * found].
 */
export const RENEW = `
local fence = redis.call('GET', KEYS[2])
if fence ~= ARGV[1] then return {'lost', tostring(fence)} end
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] .. ' ' .. ARGV[2] then return {'lost', tostring(fence)} end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
return {'ok'}
`;

/** Gives the lease back. ARGV: fence, name, and the run id of the server, or "" if an earlier request may still be on its way. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] .. ' ' .. ARGV[2] then
  redis.call('DEL', KEYS[1])
  if ARGV[3] ~= '' and redis.call('EXISTS', KEYS[3]) == 1 then redis.call('HSET', KEYS[3], 'returned', ARGV[1] .. ' ' .. ARGV[3]) end
end
return {'ok'}
`;

/**
 * Commits records and values. ARGV: fence, name, lease ms, position and link before, link after, n records, name of this commit and of the one
 * before, then n × (data, kind, seq, time, link), then alternating keys and values. The head keeps the number of values. A journal or values
 * that do not match the head were lost or changed by someone else. Safe to repeat: the head keeps the name of the last commit. A repetition
 * writes too, because WAIT promises only the writes of its own connection. → ['ok', number of replicas that are online], ['lost', fence found],
 * ['moved', position found] or ['values', number found, number committed].
 */
export const COMMIT = `
local function done()
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
  local _, online = string.gsub(redis.call('INFO', 'replication'), 'state=online', '')
  return {'ok', tostring(online)}
end
local fence = redis.call('GET', KEYS[2])
if fence ~= ARGV[1] then return {'lost', tostring(fence)} end
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] .. ' ' .. ARGV[2] then return {'lost', tostring(fence)} end
local head = redis.call('HMGET', KEYS[3], 'position', 'link', 'commit', 'entries')
local before = tonumber(ARGV[4])
local count = tonumber(ARGV[7])
if head[3] == ARGV[8] then return done() end
if head[1] ~= ARGV[4] or head[2] ~= ARGV[5] or (head[3] or '') ~= ARGV[9] then return {'moved', tostring(head[1])} end
local last = redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)[1]
last = last and string.match(last[1], '^%d+') or '0'
if last ~= ARGV[4] then return {'moved', last} end
local values = tostring(redis.call('HLEN', KEYS[5]))
if values ~= (head[4] or '0') then return {'values', values, head[4] or '0'} end
local at = 10
for i = 1, count do
  redis.call('XADD', KEYS[4], string.format('%.0f-0', before + i),
    'data', ARGV[at], 'kind', ARGV[at + 1], 'seq', ARGV[at + 2], 'time', ARGV[at + 3], 'link', ARGV[at + 4])
  at = at + 5
end
while at < #ARGV do
  redis.call('HSET', KEYS[5], ARGV[at], ARGV[at + 1])
  at = at + 2
end
redis.call('HSET', KEYS[3], 'position', string.format('%.0f', before + count), 'link', ARGV[6], 'commit', ARGV[8],
  'entries', tostring(redis.call('HLEN', KEYS[5])))
return done()
`;
