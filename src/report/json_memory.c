/* Devices, call sites, leaks, objects and who holds them in the JSON format. */
#include <stdio.h>

#include "report/json_sections.h"
#include "report/kinds.h"

static const char *const states[GMT_REMAINS_STATE_COUNT] = {
#define GMT_REMAINS(name, json, words) json,
#include "report/remains_states.def"
#undef GMT_REMAINS
};

static void write_uuid(struct gmt_json *json, const uint8_t *uuid)
{
    char text[37];
    bool known = false;
    int at = 0;
    for (unsigned i = 0; i < 16; i++) {
        known = known || uuid[i] != 0;
        at += snprintf(text + at, sizeof text - (size_t)at, "%02x%s", uuid[i],
                       i == 3 || i == 5 || i == 7 || i == 9 ? "-" : "");
    }
    gmt_json_string(json, "uuid", known ? text : NULL);
}

/* live_ and peak_ beside the ordinal are those of the device's own memory, the space most readers want. */
void gmt_json_devices(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "devices");
    for (unsigned i = 0; i < process->device_count; i++) {
        const struct gmt_device *device = &process->devices[i];
        const struct gmt_totals *totals = &device->totals[GMT_SPACE_DEVICE];
        gmt_json_object(json, NULL);
        gmt_json_number(json, "ordinal", device->ordinal);
        write_uuid(json, device->uuid);
        gmt_json_string(json, "name", device->name);
        gmt_json_known(json, "total_bytes", device->total_bytes, device->total_bytes > 0);
        gmt_json_number(json, "live_bytes", totals->live_bytes);
        gmt_json_number(json, "live_count", totals->live_count);
        gmt_json_number(json, "peak_bytes", totals->peak_bytes);
        gmt_json_seconds(json, "peak_time", totals->peak_ns);
        gmt_json_spaces(json, device->totals);
        gmt_json_close(json);
    }
    gmt_json_close(json);
}

static void write_site(struct gmt_json *json, const struct gmt_site *site)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "id", site->id);
    gmt_json_string(json, "api", site->api);
    gmt_json_string(json, "entry", site->entry);
    gmt_json_string(json, "kind", gmt_kind_json(site->kind));
    gmt_json_device(json, "device", site->device);
    gmt_json_number(json, "live_bytes", site->live_bytes);
    gmt_json_number(json, "live_count", site->live_count);
    gmt_json_number(json, "peak_bytes", site->peak_bytes);
    gmt_json_number(json, "at_peak_bytes", site->at_peak_bytes);
    gmt_json_number(json, "at_peak_count", site->at_peak_count);
    gmt_json_number(json, "total_bytes", site->total_bytes);
    gmt_json_number(json, "total_count", site->total_count);
    gmt_json_seconds(json, "first_time", site->first_ns);
    gmt_json_seconds(json, "last_time", site->last_ns);
    gmt_json_takers(json, "threads", site->takers);
    gmt_json_caller(json, "freed_by", &site->freed_by);
    gmt_json_string(json, "library", site->library ? site->library->path : NULL);
    gmt_json_bool(json, "library_unloaded", site->library && site->library->unloaded);
    gmt_json_stack(json, "stack", site->stack);
    gmt_json_bool(json, "stack_complete", site->stack && !site->stack->cut && !site->stack->incomplete);
    gmt_json_close(json);
}

void gmt_json_sites(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "sites");
    for (unsigned i = 0; i < process->site_count; i++)
        write_site(json, &process->sites[i]);
    gmt_json_close(json);
}

static void write_failed_next(struct gmt_json *json, const struct gmt_remains *leak)
{
    if (!leak->failed_next) {
        gmt_json_null(json, "failed_next");
        return;
    }
    gmt_json_object(json, "failed_next");
    gmt_json_number(json, "count", leak->failed_next_count);
    gmt_json_string(json, "api", leak->failed_next->api);
    gmt_json_signed(json, "code", leak->failed_next->code);
    gmt_json_stack(json, "stack", leak->failed_next->stack);
    gmt_json_close(json);
}

static void write_ended_by(struct gmt_json *json, const struct gmt_context *context)
{
    if (!context) {
        gmt_json_null(json, "ended_by");
        return;
    }
    gmt_json_object(json, "ended_by");
    gmt_json_seconds(json, "time", context->ended_ns);
    gmt_json_caller(json, "caller", &context->ended);
    gmt_json_close(json);
}

static void write_leak(struct gmt_json *json, const struct gmt_remains *leak)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "site", leak->site->id);
    gmt_json_number(json, "bytes", leak->bytes);
    gmt_json_number(json, "count", leak->count);
    gmt_json_string(json, "kind", gmt_kind_json(leak->site->kind));
    gmt_json_string(json, "state", states[leak->state]);
    gmt_json_number(json, "smallest_bytes", leak->smallest);
    gmt_json_number(json, "largest_bytes", leak->largest);
    gmt_json_seconds(json, "first_time", leak->first_ns);
    gmt_json_seconds(json, "last_time", leak->last_ns);
    gmt_json_number(json, "references", leak->references);
    gmt_json_number(json, "mappings", leak->mappings);
    gmt_json_takers(json, "threads", leak->takers);
    write_ended_by(json, leak->context);
    write_failed_next(json, leak);
    gmt_json_number(json, "exported_count", leak->exported_count);
    gmt_json_stack(json, "exported_stack", leak->exported_stack);
    gmt_json_close(json);
}

void gmt_json_leaks(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "leaks");
    for (unsigned i = 0; i < process->leak_count; i++)
        write_leak(json, process->leaks[i]);
    gmt_json_close(json);
}

static void write_late(struct gmt_json *json, const struct gmt_remains *late)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "site", late->site->id);
    gmt_json_string(json, "kind", gmt_kind_json(late->site->kind));
    gmt_json_number(json, "bytes", late->bytes);
    gmt_json_number(json, "count", late->count);
    gmt_json_close(json);
}

void gmt_json_late(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "late");
    for (unsigned i = 0; i < process->late_count; i++)
        write_late(json, process->late[i]);
    gmt_json_close(json);
}

static void write_object(struct gmt_json *json, const struct gmt_object *object)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "site", object->site->id);
    gmt_json_string(json, "kind", gmt_kind_json(object->site->kind));
    gmt_json_number(json, "created", object->created);
    gmt_json_number(json, "destroyed", object->destroyed);
    gmt_json_number(json, "live_count", object->live_count);
    gmt_json_number(json, "ended_count", object->ended_count);
    gmt_json_number(json, "bytes", object->bytes);
    gmt_json_number(json, "variable_bytes", object->variable_bytes);
    gmt_json_bool(json, "implicit", gmt_object_is_implicit(object));
    gmt_json_array(json, "states");
    for (unsigned i = 0; i < object->state_count; i++) {
        gmt_json_object(json, NULL);
        gmt_json_string(json, "state", states[object->states[i]->state]);
        gmt_json_number(json, "count", object->states[i]->count);
        gmt_json_number(json, "bytes", object->states[i]->bytes);
        gmt_json_takers(json, "threads", object->states[i]->takers);
        write_failed_next(json, object->states[i]);
        gmt_json_close(json);
    }
    gmt_json_close(json);
    gmt_json_close(json);
}

void gmt_json_objects(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "objects");
    for (unsigned i = 0; i < process->object_count; i++)
        write_object(json, &process->objects[i]);
    gmt_json_close(json);
}

static void write_import(struct gmt_json *json, const struct gmt_import *import)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "site", import->site->id);
    gmt_json_string(json, "kind", gmt_kind_json(import->site->kind));
    gmt_json_number(json, "opened", import->opened);
    gmt_json_number(json, "closed", import->closed);
    gmt_json_number(json, "live_count", import->live_count);
    gmt_json_number(json, "live_bytes", import->live_bytes);
    gmt_json_close(json);
}

void gmt_json_imports(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "imports");
    for (unsigned i = 0; i < process->import_count; i++)
        write_import(json, &process->imports[i]);
    gmt_json_close(json);
}

static void write_library(struct gmt_json *json, const struct gmt_library *library)
{
    gmt_json_object(json, NULL);
    gmt_json_string(json, "module", library->module ? library->module->path : NULL);
    gmt_json_number(json, "live_bytes", library->live.bytes);
    gmt_json_number(json, "live_count", library->live.count);
    gmt_json_number(json, "leak_bytes", library->leaked.bytes);
    gmt_json_number(json, "leak_count", library->leaked.count);
    gmt_json_close(json);
}

void gmt_json_libraries(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "libraries");
    for (unsigned i = 0; i < process->library_count; i++)
        write_library(json, &process->libraries[i]);
    gmt_json_close(json);
}
