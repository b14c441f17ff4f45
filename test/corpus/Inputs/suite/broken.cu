#include "lost.h"
