package network

// Snapper finds where a door meets the network.
type Snapper struct{}
