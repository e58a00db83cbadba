// Package slots divides a number of slots among scans: workers, or requests in flight.
//
//	Slots     | taken | taken | taken | free |
//	Shares    | scan A        | B     |        what A and B wait for: B has fewer, so it is next
//
// A Share is what one scan has. Who waits gets a slot when one is given back: first those that wait in
// Take, of these the share that has the fewest slots, of equals the one that has had them for
// less time, and of equals the one that came first. After them come the shares that have asked for
// room to read ahead, in the same order. The time is that of Turns, and passes for those that are idle, too.
//
// A slot is never held while its holder waits for another slot, or for bytes of a budget. So slots
// come back in any case. Turn is the slot of a goroutine that is given back for as long as it waits.
//
// What never comes here: how many slots there are, what is done with one.
package slots
