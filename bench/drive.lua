-- Sends the requests of a file in order. Each request follows a line with its length. Each connection waits a number of
-- milliseconds before each request.
local requests, count, at = {}, 0, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    count = count + 1
    requests[count] = file:read(length)
  end
  file:close()
  local pause = tonumber(args[2])
  if pause > 0 then delay = function() return pause end end
end

function request()
  at = at % count + 1
  return requests[at]
end

function done(summary, latency)
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"max":%d,"refusals":%d,"failures":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
