-- Decides charges against all their windows, one after the other, and takes all of a charge's points or none.
-- A charge may also be a renewal, which takes nothing: the subject's next charge makes a new version.
-- KEYS  of each charge: the subject's windows, bans and version; then the refusals of the key that asks
-- ARGV  1 ms that the clock is ahead, 2 a version for subjects that have none; then of each charge: field of the ban,
--       and its rule, words between which stand spaces: whether it charges (1) or peeks (0), refusals a minute (-1: no ban),
--       first ban in ms, longest ban in ms, and of each window its name, limit, points and ms; or the word renew
local call, tonumber = redis.call, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local minuteMs, dayMs = 60000, 86400000

-- When what was to end then really ends; nothing where it is over. What seems to last longer than it ever does began before
-- the clock was set back: by a moment, as clocks are all the time, it goes on; by more it is over, or it would last too long.
local momentMs = 5000
local function endOf(ends, longest)
  if ends and ends > now and ends <= now + longest + momentMs then return math.min(ends, now + longest) end
end

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

-- Counts a refusal of the key; the length of the ban that begins with it, or nothing.
local function countRefusal(offender, rule)
  local known = call('HMGET', offender, 'count', 'ends', 'bans')
  local count, ends = tonumber(known[1]), tonumber(known[2])
  ends = endOf(ends, minuteMs)
  if not ends then count, ends = 0, now + minuteMs end
  count = count + 1
  if count <= rule.refusals then
    call('HSET', offender, 'count', count, 'ends', ends)
    if count == 1 then keepFor(offender, minuteMs) end
    return nil
  end

  local bans = {}
  for began in string.gmatch(known[3] or '', '%d+') do
    if now - began < dayMs then bans[#bans + 1] = began end
  end
  local banMs = math.min(rule.banMs * 2 ^ #bans, rule.mostMs)
  -- The thirty-second doubling is beyond any longest ban.
  bans[#bans + 1] = string.format('%.0f', now)
  call('HSET', offender, 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
  keepFor(offender, dayMs)
  return banMs
end

-- Outcome (0 accepted, 1 limited, 2 banned), end of the ban, whether it begins now, version, used and end of each window.
local function decide(subject, offender, banField, rule)
  local charging, windows, fields = rule.charging, #rule, rule.fields
  local held = call('HMGET', subject, 'version', banField, unpack(fields))

  local reply = { 0, 0, 0, held[1] or '-' }
  local changes, changed, keepMs = {}, 0, 0
  for i = 1, windows do
    local used, ends = tonumber(held[1 + 2 * i]), tonumber(held[2 + 2 * i])
    local limit, points, ms = rule[i].limit, rule[i].points, rule[i].ms
    local running = endOf(ends, ms)
    if running then ends = running else used, ends = 0, now + ms end
    if points > 0 then
      if used + points > limit then reply[1] = 1 end
      changes[changed + 1], changes[changed + 2] = fields[2 * i - 1], used + points
      changed = changed + 2
      if not running then
        changes[changed + 1], changes[changed + 2] = fields[2 * i], ends
        changed = changed + 2
        if ms > keepMs then keepMs = ms end
      end
    end
    reply[3 + 2 * i], reply[4 + 2 * i] = used, ends
  end

  local banEnds, banLasts = string.match(held[2] or '', '(%d+) (%d+)')
  local banned = endOf(tonumber(banEnds), tonumber(banLasts))
  if banned then
    reply[1], reply[2] = 2, string.format('%.0f', banned)
    return reply
  end
  if not charging then return reply end

  if reply[1] == 0 then
    if not held[1] then
      reply[4] = ARGV[2]
      changes[changed + 1], changes[changed + 2] = 'version', reply[4]
      changed = changed + 2
      if minuteMs > keepMs then keepMs = minuteMs end
    end
    for i = 1, windows do
      reply[3 + 2 * i] = reply[3 + 2 * i] + rule[i].points
    end
    if changed > 0 then call('HSET', subject, unpack(changes)) end
    if keepMs > 0 then keepFor(subject, keepMs) end
    return reply
  end

  local banMs = rule.refusals >= 0 and countRefusal(offender, rule)
  if banMs then
    reply[1], reply[2], reply[3] = 2, now + banMs, 1
    call('HSET', subject, banField, string.format('%.0f %.0f', reply[2], banMs))
    keepFor(subject, banMs)
  end
  return reply
end

-- Each answer is one text, which costs less to write here and to read there than a list; before them stands the time.
local replies = { string.format('%.0f', now) }
for i = 1, #KEYS, 2 do
  local banField, rule, reply = ARGV[i + 2], ARGV[i + 3], ''
  if rule == 'renew' then
    call('HDEL', KEYS[i], 'version')
  else
    reply = table.concat(decide(KEYS[i], KEYS[i + 1], banField, ruleOf(rule)), ' ')
  end
  replies[#replies + 1] = reply
end
return replies
