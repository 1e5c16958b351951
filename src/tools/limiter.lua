-- Weighs one order against all its windows and takes all of its points or none, in one call.
-- KEYS  1 the subject's windows, ends of bans and pets version  2 the refusals of the key that asks
-- ARGV  1 charge or look  2 ms that the clock is ahead  3 fresh version  4 its lease in ms
--       5 refusals a minute (-1: no ban)  6 first ban in ms  7 longest ban in ms  8 number of windows
--       9 field of the ban's end  10, 11 fields of the version and its end
--       then two fields of each window (used, end), then three numbers of each (limit, points, ms)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
local charging, windows = ARGV[1] == 'charge', tonumber(ARGV[8])
local lastField = 11 + 2 * windows
local held = redis.call('HMGET', KEYS[1], unpack(ARGV, 9, lastField))

local function keepFor(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, ms) end
end

-- outcome (0 accepted, 1 limited, 2 banned), end of the ban, whether it begins now, version, used and end of each window
local reply = { 0, 0, 0, false }
local changes, keepMs = {}, 0
for i = 1, windows do
  local used, ends = tonumber(held[2 + 2 * i]), tonumber(held[3 + 2 * i])
  local limit, points = tonumber(ARGV[lastField + 3 * i - 2]), tonumber(ARGV[lastField + 3 * i - 1])
  local begins = not ends or ends <= now
  if begins then
    local ms = tonumber(ARGV[lastField + 3 * i])
    used, ends = 0, now + ms
    if points > 0 then
      keepMs = math.max(keepMs, ms)
      changes[#changes + 1], changes[#changes + 2] = ARGV[11 + 2 * i], ends
    end
  end
  if points > 0 then
    if used + points > limit then reply[1] = 1 end
    changes[#changes + 1], changes[#changes + 2] = ARGV[10 + 2 * i], used + points
  end
  reply[3 + 2 * i], reply[4 + 2 * i] = used, ends
end

local banEnds = tonumber(held[1])
if banEnds and banEnds > now then
  reply[1], reply[2] = 2, banEnds
  return reply
end

if reply[1] == 0 then
  local versionEnds = held[2] and tonumber(held[3])
  if versionEnds and versionEnds > now then
    reply[4] = held[2]
  elseif charging then
    reply[4] = ARGV[3]
    changes[#changes + 1], changes[#changes + 2] = ARGV[10], ARGV[3]
    changes[#changes + 1], changes[#changes + 2] = ARGV[11], now + ARGV[4]
    keepMs = math.max(keepMs, tonumber(ARGV[4]))
  end
  if not charging then return reply end
  for i = 1, windows do
    reply[3 + 2 * i] = reply[3 + 2 * i] + tonumber(ARGV[lastField + 3 * i - 1])
  end
  if #changes > 0 then redis.call('HSET', KEYS[1], unpack(changes)) end
  if keepMs > 0 then keepFor(KEYS[1], keepMs) end
  return reply
end

local refusalsPerMinute = tonumber(ARGV[5])
if not charging or refusalsPerMinute < 0 then return reply end

local refusals = redis.call('HMGET', KEYS[2], 'count', 'ends', 'bans')
local count, ends = tonumber(refusals[1]), tonumber(refusals[2])
if not ends or ends <= now then count, ends = 0, now + 60000 end
count = count + 1
if count <= refusalsPerMinute then
  redis.call('HSET', KEYS[2], 'count', count, 'ends', ends)
  if count == 1 then keepFor(KEYS[2], 60000) end
  return reply
end

local day, bans = 86400000, {}
for began in string.gmatch(refusals[3] or '', '%d+') do
  if now - began < day then bans[#bans + 1] = began end
end
local banMs = math.min(ARGV[6] * 2 ^ #bans, tonumber(ARGV[7]))
bans[#bans + 1] = string.format('%.0f', now)
reply[1], reply[2], reply[3] = 2, now + banMs, 1
redis.call('HSET', KEYS[1], ARGV[9], reply[2])
keepFor(KEYS[1], banMs)
redis.call('HSET', KEYS[2], 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
keepFor(KEYS[2], day)
return reply
