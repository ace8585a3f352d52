-- Takes requests off the allowance of one caller by the generic cell rate algorithm: all that is kept is the time at which
-- the allowance will be full again. As many of the requests that are asked for are granted as there are.
--
-- KEYS[1]  the caller
-- ARGV     interval and tolerance (µs: for one request, for a burst), requests asked for, requests made without asking,
--          the time (µs since the epoch below; '' for the time of this server)
-- returns  requests granted, requests that remain, µs until as many as were asked for are there again
--
-- Example at 2 requests a second and a burst of 4, in µs 500000 and 2000000: of three asked for at once, twice, 3 are granted
-- and 1 remains, then 1 is granted and 0 remain, and 1500000 µs later there are three again.
local epoch = 1700000000 -- s, so that fractions of a microsecond are not rounded off
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local asked, owed = tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = (time[1] - epoch) * 1000000 + time[2]
end
-- What was made without asking may be more than there was: then it is taken off what comes back, up to another burst. A time
-- even further ahead was written before the clock was set back.
local most = now + 2 * tolerance
local full = math.min(tonumber(redis.call('GET', KEYS[1])) or now, most)
full = math.min(math.max(full, now) + owed * interval, most)
local free = math.max(0, math.floor((now + tolerance - full) / interval + 0.001))
local granted = math.min(asked, free)
full = full + granted * interval
if full > now then
  -- Kept for a minute longer than is needed: a caller's clock may be slower than that of this server.
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil((full - now) / 1000) + 60000)
end
return {granted, free - granted, math.ceil(math.max(0, full + asked * interval - tolerance - now))}
