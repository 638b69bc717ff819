package embedded

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

func buildFacts() map[string]string {
	facts := map[string]string{
		"version":       runtime.Version(),
		"go.version":    runtime.Version(),
		"go.maxprocs":   strconv.Itoa(runtime.GOMAXPROCS(0)),
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
func runtimeReports() map[string]string {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return map[string]string{
		"go.heap-bytes":          strconv.FormatUint(now.HeapAlloc, 10),
		"go.heap-inuse-bytes":    strconv.FormatUint(now.HeapInuse, 10),
		"go.system-bytes":        strconv.FormatUint(now.Sys, 10),
		"go.allocated-bytes":     strconv.FormatUint(now.TotalAlloc, 10),
		"go.collections":         strconv.FormatUint(uint64(now.NumGC), 10),
		"go.pause-micros":        strconv.FormatUint(now.PauseTotalNs/1000, 10),
		"go.collector-cpu-share": strconv.FormatFloat(now.GCCPUFraction, 'f', 6, 64),
		"go.goroutines":          strconv.Itoa(runtime.NumGoroutine()),
	}
}
