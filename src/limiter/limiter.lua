-- Decides charges against all their windows, one charge after the other. A charge takes its points from all of its
-- windows or from none.
-- KEYS: two for each entry: the hash of the subject's windows, bans and version; then the hash of the refusals of the
-- calling key.
-- ARGV[1]: milliseconds to add to the clock of Redis. ARGV[2]: a version for subjects that have no version.
-- Then ARGV has two texts for each entry: the field of the ban, and a rule. A rule is an act and its words, separated
-- by spaces:
--   charge or peek: refusals a minute (-1: no ban), first ban in ms, longest ban in ms; then each window's name, limit,
--   points, ms
--   add: each window's name, points (may be negative), ms, and the end that the window must have (0: any end)
--   reset: each window's name and ms
--   ban: the length of the ban in ms
--   lift: no words
--   renew: no words; deletes the version, so that the next charge makes a new version
local call, tonumber = redis.call, tonumber
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local minuteMs, dayMs = 60000, 86400000

-- Returns the end of a window or ban, or nil if the window or ban is over. An end further away than the longest
-- duration means that the clock was set back after the window or ban began. If the end is at most 5 s too far away, the
-- window or ban continues, because clocks often make small steps back. If the end is further away, the window or ban
-- counts as over.
local momentMs = 5000
local function endOf(ends, longest)
  if ends and ends > now and ends <= now + longest + momentMs then return math.min(ends, now + longest) end
end

-- The end of a ban. A ban is stored as its end and its length.
local function banOf(text)
  local ends, lasts = string.match(text or '', '(%d+) (%d+)')
  return endOf(tonumber(ends), tonumber(lasts))
end

-- Deletes the subject's bans that are over, because the hash of a subject in use never expires. The field 'bans' lists
-- the fields of the running bans. `added` is the field of a new ban, or nil.
local function listBans(subject, added)
  local running = { added }
  for field in string.gmatch(call('HGET', subject, 'bans') or '', '%S+') do
    if not banOf(call('HGET', subject, field)) then
      call('HDEL', subject, field)
    elseif field ~= added then
      running[#running + 1] = field
    end
  end
  if #running > 0 then call('HSET', subject, 'bans', table.concat(running, ' ')) else call('HDEL', subject, 'bans') end
end

local function keepFor(key, ms)
  if call('PTTL', key) < ms then call('PEXPIRE', key, ms) end
end

-- Parsed rules by their text. Most charges of one call of this script have the same few rules, so each rule is parsed
-- only once.
local rules = {}

local function ruleOf(text)
  local rule = rules[text]
  if rule then return rule end
  local word = string.gmatch(text, '%S+')
  rule = { act = word(), fields = {} }
  rule.charging = rule.act == 'charge'
  if rule.charging or rule.act == 'peek' then
    rule.refusals, rule.banMs, rule.mostMs = tonumber(word()), tonumber(word()), tonumber(word())
    for name in word do
      rule.fields[2 * #rule + 1], rule.fields[2 * #rule + 2] = name, name .. 'Ends'
      rule[#rule + 1] = { limit = tonumber(word()), points = tonumber(word()), ms = tonumber(word()) }
    end
  else
    rule.words = {}
    for other in word do rule.words[#rule.words + 1] = other end
  end
  rules[text] = rule
  return rule
end

local function storeBan(subject, banField, ends, ms)
  call('HSET', subject, banField, string.format('%.0f %.0f', ends, ms))
  listBans(subject, banField)
  keepFor(subject, ms)
end

-- Counts a refusal of the key. Returns the length of the ban that begins with this refusal, or nothing.
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
  -- Keep only the last 32 bans: a ban that was doubled 32 times is longer than any configured maximum.
  bans[#bans + 1] = string.format('%.0f', now)
  call('HSET', offender, 'count', 0, 'ends', 0, 'bans', table.concat(bans, ' ', math.max(1, #bans - 31)))
  keepFor(offender, dayMs)
  return banMs
end

-- Returns the outcome (0 accepted, 1 limited, 2 banned), the end of the ban, whether it begins now, the version, and
-- used points and end of each window.
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

  local banned = banOf(held[2])
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
    storeBan(subject, banField, reply[2], banMs)
  end
  return reply
end

-- The acts that decide nothing. Each returns 1 if it changed something, else 0.
local acts = {}

-- If no end is required, points above 0 begin a window where none runs. The used points of a window never fall below 0.
function acts.add(subject, _, _, words)
  local changed = 0
  for i = 1, #words, 4 do
    local name, points, ms, mustEnd = words[i], tonumber(words[i + 1]), tonumber(words[i + 2]), tonumber(words[i + 3])
    local held = call('HMGET', subject, name, name .. 'Ends')
    local used, ends = tonumber(held[1]), endOf(tonumber(held[2]), ms)
    if not ends and mustEnd == 0 and points > 0 then
      used, ends = 0, now + ms
      call('HSET', subject, name .. 'Ends', ends)
      keepFor(subject, ms)
    end
    if ends and (mustEnd == 0 or mustEnd == ends) then
      call('HSET', subject, name, math.max(0, used + points))
      changed = 1
    end
  end
  return changed
end

function acts.reset(subject, _, _, words)
  local changed = 0
  for i = 1, #words, 2 do
    local name, ends = words[i], words[i] .. 'Ends'
    if endOf(tonumber(call('HGET', subject, ends) or nil), tonumber(words[i + 1])) then changed = 1 end
    call('HDEL', subject, name, ends)
  end
  return changed
end

function acts.ban(subject, _, banField, words)
  local ms = tonumber(words[1])
  storeBan(subject, banField, now + ms, ms)
  return 1
end

-- The earlier bans are forgotten too, so that the next one is as short as the first.
function acts.lift(subject, offender, banField)
  local isBanned = banOf(call('HGET', subject, banField))
  call('HDEL', subject, banField)
  listBans(subject)
  call('DEL', offender)
  return isBanned and 1 or 0
end

function acts.renew(subject)
  return call('HDEL', subject, 'version')
end

-- Return one text per entry, because a list costs more to write here and to parse in the service. The first text is the
-- time.
local replies = { string.format('%.0f', now) }
for i = 1, #KEYS, 2 do
  local banField, rule = ARGV[i + 2], ruleOf(ARGV[i + 3])
  local act = acts[rule.act]
  replies[#replies + 1] = act and tostring(act(KEYS[i], KEYS[i + 1], banField, rule.words))
    or table.concat(decide(KEYS[i], KEYS[i + 1], banField, rule), ' ')
end
return replies
