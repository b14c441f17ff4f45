const char *nameOfHost() { return "runtime"; }
