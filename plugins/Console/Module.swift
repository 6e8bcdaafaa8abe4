import CPlugin
