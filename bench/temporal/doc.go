// Package temporal is a drill of quartier-fleet against Temporal's server, in a module of its own: the server has 1,753 packages,
// which take six minutes of processor time to compile. make long runs it.
package temporal
