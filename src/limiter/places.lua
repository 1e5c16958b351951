-- Takes one of a subject's places, or renews the places that a process has taken. Each place is a member of a sorted
-- set, and the member's score is the time at which the lease of the place ends. So the places of a killed process
-- become free by themselves.
-- KEYS[1]: the set. ARGV: lease in milliseconds, most places (0: renew), ids of places
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
