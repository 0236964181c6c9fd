// Checks what deploys the product against the types of those who read it: the compose files with the loader of Docker
// Compose, profile by profile, and the manifests of kustomize with the types of the Kubernetes API, strictly: a field
// that there is not, or one that stands twice, is a fault. Prints one line a fault, and what it has seen.
//
//	go run . <root of the repository> <copy of deploy/kubernetes with its secrets>
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Profiles of each compose file; the empty name is a start without one.
var profiles = map[string][]string{
	"docker-compose.yml":         {"", "split"},
	"docker-compose.cluster.yml": {"postgres", "cluster"},
}

func main() {
	root, manifests := os.Args[1], os.Args[2]
	faults := 0
	report := func(where string, err error) {
		faults++
		fmt.Printf("%s: %v\n", where, err)
	}
	for file, names := range profiles {
		for _, profile := range names {
			project, err := loadCompose(root, file, profile)
			if err != nil {
				report(file+" "+profile, err)
				continue
			}
			fmt.Printf("%s, profile %q: %s\n", file, profile, strings.Join(project.ServiceNames(), ", "))
			for _, fault := range missingParts(project) {
				report(file+" "+profile, fault)
			}
		}
	}
	seen, err := checkManifests(manifests, report)
	if err != nil {
		report("deploy/kubernetes", err)
	}
	fmt.Printf("deploy/kubernetes: %d objects\n", seen)
	if faults > 0 {
		os.Exit(1)
	}
}

// As `docker compose --profile … config` reads it.
func loadCompose(root, file, profile string) (*types.Project, error) {
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, file)},
		cli.WithWorkingDirectory(root), cli.WithProfiles(strings.Fields(profile)))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}

// What the loader leaves to the start: an active service that waits for one of another profile.
func missingParts(project *types.Project) (faults []error) {
	for name, service := range project.Services {
		for other := range service.DependsOn {
			if _, found := project.Services[other]; !found {
				faults = append(faults, fmt.Errorf("%s waits for %s, which this profile does not start", name, other))
			}
		}
	}
	return faults
}

func checkManifests(folder string, report func(string, error)) (int, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return 0, err
	}
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		json.SerializerOptions{Yaml: true, Strict: true})
	for _, resource := range built.Resources() {
		text, err := resource.AsYAML()
		if err == nil {
			_, _, err = strict.Decode(bytes.TrimSpace(text), nil, runtime.Object(nil))
		}
		if err != nil {
			report(resource.CurId().String(), err)
		}
	}
	return built.Size(), nil
}
