-- Weighs charges against all their windows, one after the other, and takes all of a charge's points or none; and notes
-- new pets in their project's pets version.
-- KEYS  of each charge: the subject's windows, ends of bans and pets version; then the refusals of the key that asks.
--       Of each new pet: the subject, twice, since a cluster takes no key that lies elsewhere. Of refusals that nobody asked
--       for: as of a charge
-- ARGV  1 ms that the clock is ahead, 2 fresh era for pets versions; then of each new pet: its id, or nothing if any pet may
--       have changed, and "pet"; of refusals: how many, and "refused"; of each charge: field of the ban's end, and its rule,
--       words between which stand spaces: whether it charges (1) or only looks (0), refusals a minute (-1: no ban), first ban
--       in ms, longest ban in ms, and of each window its name, limit, points and ms
local call, tonumber = redis.call, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local minuteMs = 60000

local function keepFor(key, ms)
  if call('PTTL', key) < ms then call('PEXPIRE', key, ms) end
end

-- Most charges of a call have the same few rules.
local rules = {}

local function ruleOf(text)
  local rule = rules[text]
  if rule then return rule end
  local word = string.gmatch(text, '%S+')
  rule = { charging = word() == '1', refusals = tonumber(word()), banMs = tonumber(word()), mostMs = tonumber(word()) }
  rule.fields = {}
  for name in word do
    rule.fields[2 * #rule + 1], rule.fields[2 * #rule + 2] = name, name .. 'Ends'
    rule[#rule + 1] = { limit = tonumber(word()), points = tonumber(word()), ms = tonumber(word()) }
  end
  rules[text] = rule
  return rule
end

-- Outcome (0 accepted, 1 limited, 2 banned), end of the ban, whether it begins now, version, the key's refusals in this
-- minute, used and end of each window.
local function decide(subject, offender, banField, rule)
  local charging, windows, fields = rule.charging, #rule, rule.fields
  local held = call('HMGET', subject, 'version', banField, unpack(fields))

  local reply = { 0, 0, 0, '-', 0 }
  local changes, changed, keepMs = {}, 0, 0
  for i = 1, windows do
    local used, ends = tonumber(held[1 + 2 * i]), tonumber(held[2 + 2 * i])
    local limit, points, ms = rule[i].limit, rule[i].points, rule[i].ms
    if not ends or ends <= now then
      used, ends = 0, now + ms
      if points > 0 then
        if ms > keepMs then keepMs = ms end
        changes[changed + 1], changes[changed + 2] = fields[2 * i], ends
        changed = changed + 2
      end
    end
    if points > 0 then
      if used + points > limit then reply[1] = 1 end
      changes[changed + 1], changes[changed + 2] = fields[2 * i - 1], used + points
      changed = changed + 2
    end
    reply[4 + 2 * i], reply[5 + 2 * i] = used, ends
  end

  local banEnds = tonumber(held[2])
  if banEnds and banEnds > now then
    reply[1], reply[2] = 2, banEnds
    return reply
  end

  if reply[1] == 0 then
    if held[1] then
      reply[4] = held[1]
    elseif charging then
      reply[4] = ARGV[2] .. ':0:'
      changes[changed + 1], changes[changed + 2] = 'version', reply[4]
      changed = changed + 2
      if minuteMs > keepMs then keepMs = minuteMs end
    end
    if not charging then return reply end
    for i = 1, windows do
      reply[4 + 2 * i] = reply[4 + 2 * i] + rule[i].points
    end
    if changed > 0 then call('HSET', subject, unpack(changes)) end
    if keepMs > 0 then keepFor(subject, keepMs) end
    return reply
  end

  if not charging or rule.refusals < 0 then return reply end

  local refusals = call('HMGET', offender, 'count', 'ends', 'bans')
  local count, ends = tonumber(refusals[1]), tonumber(refusals[2])
  if not ends or ends <= now then count, ends = 0, now + minuteMs end
  count = count + 1
  reply[5] = count
  if count <= rule.refusals then
    call('HSET', offender, 'count', count, 'ends', ends)
    if count == 1 then keepFor(offender, minuteMs) end
    return reply
  end

  local day, bans = 86400000, {}
  for began in string.gmatch(refusals[3] or '', '%d+') do
    if now - began < day then bans[#bans + 1] = began end
  end
  local banMs = math.min(rule.banMs * 2 ^ #bans, rule.mostMs)
  bans[#bans + 1] = string.format('%.0f', now)
  reply[1], reply[2], reply[3] = 2, now + banMs, 1
  call('HSET', subject, banField, reply[2])
  keepFor(subject, banMs)
  call('HSET', offender, 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
  keepFor(offender, day)
  return reply
end

-- Refusals that a process gave by itself, which the key's next one is decided with.
local function noteRefusals(offender, more)
  local ends = tonumber(call('HGET', offender, 'ends'))
  if ends and ends > now then call('HINCRBY', offender, 'count', more) end
end

-- A version is era:count:least: how many pets came in since the era began, and the least of their ids. A new era ends
-- all pages, and after so many pets it lets the pages of those pets outlive the next ones.
local petsOfAnEra = 256

local function notePet(subject, id)
  local version = call('HGET', subject, 'version')
  if not version then return end
  local era, count, least = string.match(version, '^([^:]*):(%d+):(%d*)$')
  if id == '' or not era or count + 1 >= petsOfAnEra then return call('HDEL', subject, 'version') end
  -- Ids are compared as text: as numbers, large ones would be rounded.
  if least == '' or #id < #least or (#id == #least and id < least) then least = id end
  call('HSET', subject, 'version', string.format('%s:%d:%s', era, count + 1, least))
end

-- Each answer is one text, which costs less to write here and to read there than a list.
local replies = {}
for i = 1, #KEYS, 2 do
  local subject, text = KEYS[i], ''
  local what, rule = ARGV[i + 2], ARGV[i + 3]
  if rule == 'pet' then
    notePet(subject, what)
  elseif rule == 'refused' then
    noteRefusals(KEYS[i + 1], what)
  else
    text = table.concat(decide(subject, KEYS[i + 1], what, ruleOf(rule)), ' ')
  end
  replies[#replies + 1] = text
end
return replies
