package compile

import (
	"math/rand/v2"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
