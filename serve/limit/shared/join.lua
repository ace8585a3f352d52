-- Counts the servers that share the limits: those that called within a lifetime.
--
-- KEYS[1]  the servers, by the time of their last call
-- ARGV     id of the calling server, lifetime (ms); a lifetime of 0 takes the server off
-- returns  their number
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lifetime = tonumber(ARGV[2])
if lifetime == 0 then
  return redis.call('ZREM', KEYS[1], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lifetime)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now, '+inf') -- of a clock that was set back
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], lifetime)
return redis.call('ZCARD', KEYS[1])
