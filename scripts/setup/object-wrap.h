// The set-up includes this file before all others where it compiles native packages (`native-flags.mjs`).
//
// From 24.19 on, the constructor of node::ObjectWrap registers a hook for the end of the environment, and the destructor
// removes it. Removing aborts the process where no context is entered, which is so in a garbage collection that V8 runs as
// a task. better-sqlite3 12 derives its statements from this class, so the service would end at some such collection.
// Here the class registers no hook, as in all earlier releases.
#include <node.h>

namespace node {
inline void IgnoreCleanupHook(v8::Isolate*, void (*)(void*), void*) {}
}  // namespace node

#define AddEnvironmentCleanupHook IgnoreCleanupHook
#define RemoveEnvironmentCleanupHook IgnoreCleanupHook
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
