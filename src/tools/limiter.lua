-- Weighs orders against all their windows, one after the other, and takes all of an order's points or none; and notes
-- new pets in their project's pets version.
-- KEYS  of each order: the subject's windows, ends of bans and pets version; then the refusals of the key that asks.
--       Of each new pet: the subject, and nothing
-- ARGV  1 ms that the clock is ahead; then of each new pet: its id, or nothing if any pet may have changed; of each order:
--       fresh era of the pets version (empty: only look), refusals a minute (-1: no ban), first ban in ms, longest ban in ms,
--       how many windows, field of the ban's end, two fields of each window (used, end), limit, points and ms of each
local call, tonumber = redis.call, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local minuteMs = 60000

local function keepFor(key, ms)
  if call('PTTL', key) < ms then call('PEXPIRE', key, ms) end
end

-- Outcome (0 accepted, 1 limited, 2 banned), end of the ban, whether it begins now, version, used and end of each window;
-- and where in ARGV the next order begins.
local function weigh(subject, offender, at)
  local fresh, windows, field = ARGV[at], tonumber(ARGV[at + 4]), at + 5
  local charging, lastField = fresh ~= '', field + 2 * windows
  local after = lastField + 3 * windows + 1
  local held = call('HMGET', subject, 'version', unpack(ARGV, field, lastField))

  local reply = { 0, 0, 0, '-' }
  local changes, changed, keepMs = {}, 0, 0
  for i = 1, windows do
    local used, ends = tonumber(held[1 + 2 * i]), tonumber(held[2 + 2 * i])
    local limit, points = tonumber(ARGV[lastField + 3 * i - 2]), tonumber(ARGV[lastField + 3 * i - 1])
    if not ends or ends <= now then
      local ms = tonumber(ARGV[lastField + 3 * i])
      used, ends = 0, now + ms
      if points > 0 then
        if ms > keepMs then keepMs = ms end
        changes[changed + 1], changes[changed + 2] = ARGV[field + 2 * i], ends
        changed = changed + 2
      end
    end
    if points > 0 then
      if used + points > limit then reply[1] = 1 end
      changes[changed + 1], changes[changed + 2] = ARGV[field + 2 * i - 1], used + points
      changed = changed + 2
    end
    reply[3 + 2 * i], reply[4 + 2 * i] = used, ends
  end

  local banEnds = tonumber(held[2])
  if banEnds and banEnds > now then
    reply[1], reply[2] = 2, banEnds
    return reply, after
  end

  if reply[1] == 0 then
    if held[1] then
      reply[4] = held[1]
    elseif charging then
      reply[4] = fresh .. ':0:'
      changes[changed + 1], changes[changed + 2] = 'version', reply[4]
      changed = changed + 2
      if minuteMs > keepMs then keepMs = minuteMs end
    end
    if not charging then return reply, after end
    for i = 1, windows do
      reply[3 + 2 * i] = reply[3 + 2 * i] + tonumber(ARGV[lastField + 3 * i - 1])
    end
    if changed > 0 then call('HSET', subject, unpack(changes)) end
    if keepMs > 0 then keepFor(subject, keepMs) end
    return reply, after
  end

  local refusalsPerMinute = tonumber(ARGV[at + 1])
  if not charging or refusalsPerMinute < 0 then return reply, after end

  local refusals = call('HMGET', offender, 'count', 'ends', 'bans')
  local count, ends = tonumber(refusals[1]), tonumber(refusals[2])
  if not ends or ends <= now then count, ends = 0, now + minuteMs end
  count = count + 1
  if count <= refusalsPerMinute then
    call('HSET', offender, 'count', count, 'ends', ends)
    if count == 1 then keepFor(offender, minuteMs) end
    return reply, after
  end

  local day, bans = 86400000, {}
  for began in string.gmatch(refusals[3] or '', '%d+') do
    if now - began < day then bans[#bans + 1] = began end
  end
  local banMs = math.min(ARGV[at + 2] * 2 ^ #bans, tonumber(ARGV[at + 3]))
  bans[#bans + 1] = string.format('%.0f', now)
  reply[1], reply[2], reply[3] = 2, now + banMs, 1
  call('HSET', subject, ARGV[field], reply[2])
  keepFor(subject, banMs)
  call('HSET', offender, 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
  keepFor(offender, day)
  return reply, after
end

-- A version is era:count:least: how many pets came in since the era began, and the least of their ids. A new era ends
-- all pages, and after so many pets it lets the pages of those pets outlive the next ones.
local petsOfAnEra = 256

local function note(subject, id)
  local version = call('HGET', subject, 'version')
  if not version then return end
  local era, count, least = string.match(version, '^([^:]*):(%d+):(%d*)$')
  if id == '' or not era or count + 1 >= petsOfAnEra then return call('HDEL', subject, 'version') end
  -- Ids are compared as text: as numbers, large ones would be rounded.
  if least == '' or #id < #least or (#id == #least and id < least) then least = id end
  call('HSET', subject, 'version', string.format('%s:%d:%s', era, count + 1, least))
end

-- Each answer is one text, which costs less to write here and to read there than a list.
local replies, at = {}, 2
for i = 1, #KEYS, 2 do
  local text = ''
  if KEYS[i + 1] == '' then
    note(KEYS[i], ARGV[at])
    at = at + 1
  else
    local reply
    reply, at = weigh(KEYS[i], KEYS[i + 1], at)
    text = table.concat(reply, ' ')
  end
  replies[#replies + 1] = text
end
return replies
