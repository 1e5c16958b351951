-- Weighs one order against all its windows and takes all of its points or none, in one call.
-- KEYS  1 the subject's windows, ends of bans and pets version  2 the refusals of the key that asks
-- ARGV  1 fresh pets version (empty: only look)  2 its lease in ms  3 ms that the clock is ahead
--       4 refusals a minute (-1: no ban)  5 first ban in ms  6 longest ban in ms
--       7 field of the ban's end, then two fields of each window (used, end), then limit, points and ms of each
local call, tonumber = redis.call, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3]
local charging, windows = ARGV[1] ~= '', (#ARGV - 7) / 5
local lastField = 7 + 2 * windows
local held = call('HMGET', KEYS[1], 'version', 'versionEnds', unpack(ARGV, 7, lastField))

local function keepFor(key, ms)
  if call('PTTL', key) < ms then call('PEXPIRE', key, ms) end
end

-- Outcome (0 accepted, 1 limited, 2 banned), end of the ban, whether it begins now, version, used and end of each window;
-- sent as one text, which costs less to write here and to read there than a list.
local reply = { 0, 0, 0, '-' }
local changes, changed, keepMs = {}, 0, 0
for i = 1, windows do
  local used, ends = tonumber(held[2 + 2 * i]), tonumber(held[3 + 2 * i])
  local limit, points = tonumber(ARGV[lastField + 3 * i - 2]), tonumber(ARGV[lastField + 3 * i - 1])
  if not ends or ends <= now then
    local ms = tonumber(ARGV[lastField + 3 * i])
    used, ends = 0, now + ms
    if points > 0 then
      if ms > keepMs then keepMs = ms end
      changes[changed + 1], changes[changed + 2] = ARGV[7 + 2 * i], ends
      changed = changed + 2
    end
  end
  if points > 0 then
    if used + points > limit then reply[1] = 1 end
    changes[changed + 1], changes[changed + 2] = ARGV[6 + 2 * i], used + points
    changed = changed + 2
  end
  reply[3 + 2 * i], reply[4 + 2 * i] = used, ends
end

local banEnds = tonumber(held[3])
if banEnds and banEnds > now then
  reply[1], reply[2] = 2, banEnds
  return table.concat(reply, ' ')
end

if reply[1] == 0 then
  local versionEnds = held[1] and tonumber(held[2])
  if versionEnds and versionEnds > now then
    reply[4] = held[1]
  elseif charging then
    local leaseMs = tonumber(ARGV[2])
    reply[4] = ARGV[1]
    changes[changed + 1], changes[changed + 2] = 'version', ARGV[1]
    changes[changed + 3], changes[changed + 4] = 'versionEnds', now + leaseMs
    changed = changed + 4
    if leaseMs > keepMs then keepMs = leaseMs end
  end
  if not charging then return table.concat(reply, ' ') end
  for i = 1, windows do
    reply[3 + 2 * i] = reply[3 + 2 * i] + tonumber(ARGV[lastField + 3 * i - 1])
  end
  if changed > 0 then call('HSET', KEYS[1], unpack(changes)) end
  if keepMs > 0 then keepFor(KEYS[1], keepMs) end
  return table.concat(reply, ' ')
end

local refusalsPerMinute = tonumber(ARGV[4])
if not charging or refusalsPerMinute < 0 then return table.concat(reply, ' ') end

local refusals = call('HMGET', KEYS[2], 'count', 'ends', 'bans')
local count, ends = tonumber(refusals[1]), tonumber(refusals[2])
if not ends or ends <= now then count, ends = 0, now + 60000 end
count = count + 1
if count <= refusalsPerMinute then
  call('HSET', KEYS[2], 'count', count, 'ends', ends)
  if count == 1 then keepFor(KEYS[2], 60000) end
  return table.concat(reply, ' ')
end

local day, bans = 86400000, {}
for began in string.gmatch(refusals[3] or '', '%d+') do
  if now - began < day then bans[#bans + 1] = began end
end
local banMs = math.min(ARGV[5] * 2 ^ #bans, tonumber(ARGV[6]))
bans[#bans + 1] = string.format('%.0f', now)
reply[1], reply[2], reply[3] = 2, now + banMs, 1
call('HSET', KEYS[1], ARGV[7], reply[2])
keepFor(KEYS[1], banMs)
call('HSET', KEYS[2], 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
keepFor(KEYS[2], day)
return table.concat(reply, ' ')
