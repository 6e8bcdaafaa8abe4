// A shared object that is no plugin.
int belfry_other_entry(void) { return 1; }
