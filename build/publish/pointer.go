package publish

import "quartier/schemas"

// Pointer publishes components in the folder of releases dir, without gates: OpenFolder, Refer and Publish in one.
func Pointer(dir string, set Set) (*schemas.Pointer, error) { return pointer(dir, set, OS) }

func pointer(dir string, set Set, fs FileSystem) (*schemas.Pointer, error) {
	folder, err := openFolder(dir, "publish", fs)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	next, err := folder.Refer(set)
	if err != nil {
		return nil, err
	}
	return folder.Publish(next, nil)
}

// Publish makes next, which Refer made, the published generation, one more than the last; until its pointer is in place the
// old one stays. Publishing what is published is no new generation: it returns the pointer that is there. accepted are the
// gates that it is published in spite of.
func (f *Folder) Publish(next *schemas.Pointer, accepted []schemas.Acceptance) (*schemas.Pointer, error) {
	return f.write(&schemas.Generation{Pointer: *next, Accepted: accepted})
}
