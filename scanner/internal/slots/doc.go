// Package slots divides a number of slots among scans: workers, or requests in flight.
//
//	Slots     | taken | taken | taken | free |
//	Shares    | scan A        | B     |        what A and B wait for: B has fewer, so it is next
//
// A Share is what one scan has. Who waits gets a slot when one is given back: first those that wait in
// Take, of these the share that has the fewest slots, of equals the one that has had them for
// less time (of Turns, which passes for those that are idle, too), and of equals the one that came
// first. After them come the shares that have asked for room to read ahead, in the same order.
//
// Nobody who holds a slot waits for another, or for bytes: a Turn gives its own back meanwhile.
//
// What never comes here: how many slots there are, what is done with one.
package slots
