-- Takes one of a subject's places, or renews the places that a process has taken. A place is a member of a sorted set
-- whose score is the end of its lease, so a killed process gives its places back.
-- KEYS[1] the set; ARGV: lease in milliseconds, most places (0: renew), ids
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease, most = tonumber(ARGV[1]), tonumber(ARGV[2])
if most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= most then return 0 end
end
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], now + lease, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return 1
