package embedded

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

func buildFacts() map[string]any {
	facts := map[string]any{
		"version":       runtime.Version(),
		"go.version":    runtime.Version(),
		"go.maxprocs":   runtime.GOMAXPROCS(0),
		"go.gc-percent": gcPercent(),
	}
	if build, there := debug.ReadBuildInfo(); there {
		for _, dependency := range build.Deps {
			if dependency.Path == module {
				facts["version"] = version(dependency)
			}
		}
	}
	return facts
}

// version of a module that go.work or go.mod replaces by sources is the one that was asked for.
func version(module *debug.Module) string {
	if module.Replace != nil {
		return module.Version + " (from sources)"
	}
	return module.Version
}

func gcPercent() string {
	if set := os.Getenv("GOGC"); set != "" {
		return set
	}
	return "100"
}

// runtimeReports tells of Go's memory and of its collector, which runs on the processors of the
// process that the engine lives in.
func runtimeReports() map[string]any {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return map[string]any{
		"go.heap-bytes":          now.HeapAlloc,
		"go.heap-inuse-bytes":    now.HeapInuse,
		"go.system-bytes":        now.Sys,
		"go.allocated-bytes":     now.TotalAlloc,
		"go.collections":         now.NumGC,
		"go.pause-micros":        now.PauseTotalNs / 1000,
		"go.collector-cpu-share": strconv.FormatFloat(now.GCCPUFraction, 'f', 6, 64),
		"go.goroutines":          runtime.NumGoroutine(),
	}
}
