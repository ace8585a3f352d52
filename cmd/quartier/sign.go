package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/internal/signature"
	"quartier/schemas"
)

// signFlag names the key that signs what a command publishes.
func signFlag() cli.Flag {
	return &cli.StringFlag{Name: "sign", EnvVars: []string{"QUARTIER_SIGN"},
		Usage: "private key `FILE` with which what is published is signed, for servers with --trust"}
}

// signingKey is that of signFlag; nil without it.
func signingKey(c *cli.Context) (ed25519.PrivateKey, error) {
	if c.String("sign") == "" {
		return nil, nil
	}
	return signature.ReadPrivate(c.String("sign"))
}

func signCommand() *cli.Command {
	return &cli.Command{
		Name:      "sign",
		Usage:     "sign components of releases, or what is published, for servers that serve only what a trusted key signed",
		ArgsUsage: "DIR...",
		Description: "DIR is the folder of a component, published or not, or a folder of releases: then what is published in it is signed, " +
			"with its\n" +
			"pointer. Files are compared with manifests, and signatures are added to those of other keys, in " + signature.File + ": to change\n" +
			"the key of a server, sign what is published with the new one, then replace the one that the server trusts. publish --sign\n" +
			"and rollback --sign sign what they publish.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "key", Usage: "private key `FILE`, which quartier key make writes", Required: true}},
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usageError{errors.New("the DIR of a component is required")}
			}
			key, err := signature.ReadPrivate(c.String("key"))
			if err != nil {
				return err
			}
			for _, dir := range c.Args().Slice() {
				if err := signIn(c.App.Writer, dir, key); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// signIn signs a component, or what is published in a folder of releases.
func signIn(w io.Writer, dir string, key ed25519.PrivateKey) error {
	by := signature.ID(key.Public().(ed25519.PublicKey))
	if _, err := os.Stat(filepath.Join(dir, schemas.PointerFile)); err == nil {
		p, err := publish.SignPublished(dir, key)
		if err == nil {
			_, err = fmt.Fprintf(w, "Signed generation %d in %s, with its %d components, by %s\n", p.Generation, dir, len(p.Components), by)
		}
		return err
	}
	ref, signed, err := publish.SignComponent(dir, key)
	if err != nil {
		return err
	}
	done := "Signed"
	if !signed {
		done = "Is signed already:"
	}
	_, err = fmt.Fprintf(w, "%s %s %s in %s by %s\n", done, ref.Name, ref.Digest, dir, by)
	return err
}

// releaseKeyCommands are the commands about keys that sign releases.
func releaseKeyCommands() []*cli.Command {
	return []*cli.Command{{
		Name:      "make",
		Usage:     "make a private key that signs releases, readable by its owner only",
		ArgsUsage: "FILE",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("the FILE of the key is required; it must not exist")}
			}
			public, err := signature.Make(c.Args().First())
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "Made the key %s in %s\n", signature.ID(public), c.Args().First())
			return nil
		},
	}, {
		Name:      "public",
		Usage:     "print the public key of a private one, for quartierd --trust and quartier verify --trust",
		ArgsUsage: "FILE",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("the FILE of a private key is required")}
			}
			key, err := signature.ReadPrivate(c.Args().First())
			if err != nil {
				return err
			}
			data, err := signature.EncodePublic(key.Public().(ed25519.PublicKey))
			if err != nil {
				return err
			}
			_, err = c.App.Writer.Write(data)
			return err
		},
	}, {
		Name:      "list",
		Usage:     "print the ids of keys in files, as manifest.sig has them",
		ArgsUsage: "FILE...",
		Action:    listKeys,
	}}
}

func listKeys(c *cli.Context) error {
	if !c.Args().Present() {
		return usageError{errors.New("the FILE of a key is required")}
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, path := range c.Args().Slice() {
		keys, err := signature.List(path)
		if err != nil {
			return err
		}
		for _, k := range keys {
			kind := "public"
			if k.Private {
				kind = "private"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", signature.ID(k.Public), kind, path)
		}
	}
	return table.Flush()
}
